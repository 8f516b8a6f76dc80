const STYLE = `body{font:15px/1.4 system-ui,sans-serif;margin:1rem;max-width:80rem}table{border-collapse:collapse;width:100%;table-layout:fixed}
td,th{border:1px solid #bbb;padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{background:#eee;position:sticky;top:0}td:last-child{width:22%;font-size:12px;color:#555}nav a{margin-right:1rem}`;

/**
 * Returns a page with every text in both languages side by side, and where it is used.
 * @param {readonly { part: string, english: object, swahili: object }[]} parts the content of the message files
 * @param {ReadonlyMap<string, string>} sources the product's source files by their paths
 * @returns {string}
 */
export function textsPage(parts, sources) {
  const tables = parts.map(({ part, english, swahili }) => {
    const translated = new Map(leavesOf(swahili));
    const rows = leavesOf(english).map(
      ([path, text]) => `<tr><td>${escapeHtml(text)}<td lang="sw">${escapeHtml(translated.get(path) ?? '')}<td>${placeOf(path, sources)}`,
    );
    return `<h2 id="${part}">${part}</h2><table><tr><th>English<th>Kiswahili<th>${rows.length} texts: name and place${rows.join('')}</table>`;
  });
  const links = parts.map(({ part }) => `<a href="#${part}">${part}</a>`);
  return `<!doctype html><meta charset="utf-8"><title>Texts</title><style>${STYLE}</style><h1>Texts</h1><nav>${links.join('')}</nav>${tables.join('')}`;
}

/** Returns the paths and texts of nested objects. */
function leavesOf(value, prefix = '') {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? [[prefix + key, inner]] : leavesOf(inner, `${prefix}${key}.`),
  );
}

/** Returns a text's name and up to three files that use it. If no file contains the key, returns files that use the namespace. */
function placeOf(path, sources) {
  const [namespace] = path.split('.');
  const key = path.split('.').at(-1);
  const users = [...sources].filter(([, source]) => source.includes(`'${namespace}'`));
  const exact = users.filter(([, source]) => source.includes(`'${key}'`) || source.includes(`${key}:`));
  const files = (exact.length > 0 ? exact : users).map(([file]) => file);
  return [`<b>${path}</b>`, ...files.slice(0, 3)].join('<br>');
}

function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
