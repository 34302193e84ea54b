import CLibCurl
package import DataSourceContracts

/// Owns a list of header lines of libcurl.
///
/// libcurl reads it in place as long as a handle that uses it is in use.
@safe
package struct HeaderList: ~Copyable {
    // Freed in `deinit`; nil without lines. Only the handles of this target see it.
    let pointer: UnsafeMutablePointer<curl_slist>?

    /// Makes a list of lines `Name: value`, which are copied.
    ///
    /// - Throws: ``TransportError`` with `other` when there is no memory.
    package init(_ lines: [String]) throws(TransportError) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = unsafe curl_slist_append(list, line) else {
                unsafe curl_slist_free_all(list)
                throw TransportError(.other, "out of memory for a header")
            }
            unsafe list = longer
        }
        unsafe pointer = unsafe list
    }

    deinit {
        unsafe curl_slist_free_all(pointer)
    }
}
