// A list of which only the visible rows are elements. Rows have one height.

import { element, setAttribute } from "./dom.js";

/** Rows drawn beyond either edge. */
const OVERSCAN = 4;
let count = 0;

/**
 * A grid with a selected row.
 *
 * The grid has the focus, never a row: rows come, go and move without taking it. An element stays
 * with its row as long as the row is visible.
 */
export class VirtualRows {
    /** The key of the selected row, or null. */
    selectedKey = null;
    #keyOf;
    #makeRow;
    #open;
    #rows = [];
    #indexes = new Map();
    #drawn = new Map();
    #spare = [];
    #body;
    #head;
    #prefix;
    #rowHeight = 36;
    #headHeight = 36;
    #height = 0;
    #top = 0;
    #observer;
    #frame = 0;

    /**
     * @param {{label: string, head: HTMLElement, columns: number, className: string,
     *     keyOf: (row: object) => string, open: (row: object) => void,
     *     makeRow: () => {element: HTMLElement, update: (row: object) => void}}} options
     */
    constructor({ label, head, columns, className, keyOf, makeRow, open }) {
        this.#keyOf = keyOf;
        this.#makeRow = makeRow;
        this.#open = open;
        this.#head = head;
        count += 1;
        this.#prefix = `row-${count}-`;
        this.#body = element("div", { class: "rows", role: "rowgroup" });
        this.element = element("div", {
            class: `grid ${className}`, role: "grid", tabindex: "0", "aria-label": label,
            "aria-colcount": columns, "aria-rowcount": 1,
        }, element("div", { class: "grid-head", role: "rowgroup" }, head), this.#body);
        setAttribute(head, "aria-rowindex", 1);
        this.element.addEventListener("scroll", () => {
            this.#top = this.element.scrollTop;
            this.#schedule();
        }, { passive: true });
        this.#body.addEventListener("click", (event) => this.#click(event));
        this.#observer = new ResizeObserver(() => this.#measure());
        this.#observer.observe(this.element);
    }

    /** The row that is selected, if the list still has it. */
    get selected() {
        return this.#rows[this.#indexes.get(this.selectedKey)] ?? null;
    }

    get scrollTop() {
        return this.#top;
    }

    set scrollTop(top) {
        this.element.scrollTop = top;
        this.#top = this.element.scrollTop;
        this.draw();
    }

    /** Takes rows in their order and draws them. Call it at most once a frame. */
    show(rows) {
        this.#rows = rows;
        this.#indexes = new Map(rows.map((row, index) => [this.#keyOf(row), index]));
        setAttribute(this.element, "aria-rowcount", rows.length + 1);
        this.#resize();
        this.draw();
    }

    /** Selects the row so many places on; the first or last one at the ends. */
    move(by) {
        if (this.#rows.length === 0) return null;
        const from = this.#indexes.get(this.selectedKey);
        const to = from === undefined ? (by > 0 && Number.isFinite(by) ? 0 : by) : from + by;
        const index = Math.min(Math.max(to, 0), this.#rows.length - 1);
        this.select(this.#keyOf(this.#rows[index]));
        this.#reveal(index);
        return this.#rows[index];
    }

    /** Rows of a page. */
    get pageRows() {
        return Math.max(Math.floor((this.#height - this.#headHeight) / this.#rowHeight) - 1, 1);
    }

    /** Moves the selection by a key. @returns {boolean} whether it is such a key */
    key(name) {
        const moves = {
            j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, Home: -Infinity, End: Infinity,
            PageDown: this.pageRows, PageUp: -this.pageRows,
        };
        if (!Object.hasOwn(moves, name)) return false;
        this.element.focus({ preventScroll: true });
        this.move(moves[name]);
        return true;
    }

    /** Marks a row as selected. */
    select(key) {
        this.selectedKey = key;
        this.draw();
    }

    /** Frees its observer. */
    close() {
        this.#observer.disconnect();
        cancelAnimationFrame(this.#frame);
    }

    /** Draws the rows that are visible. */
    draw() {
        if (this.#height === 0) return;
        const first = Math.max(Math.floor(this.#top / this.#rowHeight) - OVERSCAN, 0);
        const visible = Math.ceil(this.#height / this.#rowHeight) + 2 * OVERSCAN;
        const end = Math.min(first + visible, this.#rows.length);
        const wanted = new Set();
        for (let index = first; index < end; index += 1) {
            wanted.add(this.#keyOf(this.#rows[index]));
        }
        for (const [key, drawn] of this.#drawn) {
            if (wanted.has(key)) continue;
            this.#drawn.delete(key);
            // The element may become another market's row.
            if (drawn.element.contains(document.activeElement)) {
                this.element.focus({ preventScroll: true });
            }
            this.#spare.push(drawn);
        }
        let before = null;
        for (let index = first; index < end; index += 1) before = this.#drawRow(index, before);
        for (const drawn of this.#spare) drawn.element.remove();
        const active = this.#drawn.get(this.selectedKey);
        setAttribute(this.element, "aria-activedescendant", active ? active.element.id : null);
    }

    #drawRow(index, before) {
        const row = this.#rows[index];
        const key = this.#keyOf(row);
        let drawn = this.#drawn.get(key);
        if (!drawn) {
            drawn = this.#spare.pop() ?? drawnOf(this.#makeRow());
            drawn.element.id = this.#prefix + key;
            drawn.element.dataset.key = key;
            drawn.row = null;
            this.#drawn.set(key, drawn);
        }
        const node = drawn.element;
        const y = index * this.#rowHeight;
        if (drawn.y !== y) {
            node.style.transform = `translateY(${y}px)`;
            drawn.y = y;
            setAttribute(node, "aria-rowindex", index + 2);
        }
        // A reader goes through rows in the order of elements.
        const place = before ? before.nextSibling : this.#body.firstChild;
        const isHeld = node.isConnected && node.contains(document.activeElement);
        if (place !== node && !isHeld) this.#body.insertBefore(node, place);
        if (drawn.row !== row) {
            drawn.view.update(row, drawn.row);
            drawn.row = row;
        }
        setAttribute(node, "aria-selected", key === this.selectedKey ? "true" : "false");
        return node;
    }

    /** Writes all visible rows again, e.g. when favorites change. */
    refresh() {
        for (const { view, row } of this.#drawn.values()) if (row) view.update(row, row);
    }

    #click(event) {
        const node = event.target.closest("[data-key]");
        if (!node || event.target.closest("button")) return;
        const row = this.#rows[this.#indexes.get(node.dataset.key)];
        if (!row) return;
        this.select(node.dataset.key);
        if (event.defaultPrevented || event.target.closest("a")) return;
        this.#open(row);
    }

    #reveal(index) {
        const top = index * this.#rowHeight;
        const room = this.#height - this.#headHeight - this.#rowHeight;
        if (top < this.#top) this.element.scrollTop = top;
        else if (top > this.#top + room) this.element.scrollTop = top - room;
    }

    #measure() {
        const root = parseFloat(getComputedStyle(document.documentElement).fontSize);
        const rows = parseFloat(getComputedStyle(this.element).getPropertyValue("--row"));
        this.#rowHeight = Math.round(root * rows);
        this.#height = this.element.clientHeight;
        this.#headHeight = this.#head.offsetHeight;
        for (const drawn of this.#drawn.values()) drawn.y = null;
        this.#resize();
        this.draw();
    }

    #resize() {
        const height = `${this.#rows.length * this.#rowHeight}px`;
        if (this.#body.style.height !== height) this.#body.style.height = height;
    }

    #schedule() {
        if (this.#frame) return;
        this.#frame = requestAnimationFrame(() => {
            this.#frame = 0;
            this.draw();
        });
    }
}

function drawnOf(view) {
    return { view, element: view.element, y: null, row: null };
}

/**
 * The element of a column's head; a button inside sorts by it.
 *
 * @param {{name: string, label: string, sort?: (key: string) => void, key?: string}} column
 */
export function columnHead({ name, label, key, sort, hint }) {
    const content = key
        ? element("button", { type: "button", class: "sort", "data-sort": key,
            title: hint ?? false, onclick: () => sort(key) },
            label, element("span", { class: "arrow", "aria-hidden": "true" }))
        : element("span", { class: name === "favorite" ? "hidden-text" : false }, label);
    return element("div", { class: `cell ${name}`, role: "columnheader", "data-column": name },
        content);
}

/** Shows in a head which column sorts, and which way. */
export function showSort(head, key, direction) {
    for (const button of head.querySelectorAll("button[data-sort]")) {
        const isChosen = button.dataset.sort === key;
        const way = direction === "asc" ? "ascending" : "descending";
        setAttribute(button.parentElement, "aria-sort", isChosen ? way : null);
        button.lastChild.textContent = isChosen ? (direction === "asc" ? " ▲" : " ▼") : "";
    }
}

/** The next sort: first this way, then the other, then the default. */
export function nextSort(current, key, first, standard) {
    if (current.sort !== key) return { sort: key, direction: first };
    const other = first === "asc" ? "desc" : "asc";
    if (current.direction === first) return { sort: key, direction: other };
    if (standard.sort === key) return { sort: key, direction: first };
    return standard;
}
