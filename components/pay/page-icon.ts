/** The product's icon for the tab of a browser. The page contains it, because a file would need another request on a slow connection. */
export const PAGE_ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#0b5d3b" d="M3 1h18v22l-3-2.2-3 2.2-3-2.2-3 2.2-3-2.2-3 2.2z"/><path stroke="#fff" stroke-width="2.2" d="M7 7.5h10M7 12h6"/></svg>',
)}`;
