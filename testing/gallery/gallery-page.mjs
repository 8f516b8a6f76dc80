/** The name of a picture: `bill-list-360-dark-sw.png`. */
const NAME = /^(?<page>.+)-(?<width>\d+)-(?<theme>light|dark)-(?<lang>sw|en)\.png$/;

const STYLE = `body{font:15px/1.4 system-ui,sans-serif;margin:1rem;background:#ddd}h2{margin:2rem 0 .5rem}
div{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}figure{margin:0}img{display:block;border:1px solid #888;max-width:40rem}
nav a{margin-right:1rem}`;

/**
 * Returns an HTML page with all pictures, grouped by the page of the product that they show.
 * @param {readonly string[]} files
 * @returns {string}
 */
export function galleryPage(files) {
  const pages = new Map();
  for (const file of [...files].sort()) {
    const { page = file, width = '', theme = '', lang = '' } = NAME.exec(file)?.groups ?? {};
    pages.set(page, [...(pages.get(page) ?? []), { file, look: [width && `${width} px`, theme, lang].filter(Boolean).join(', ') }]);
  }
  const figure = ({ file, look }) =>
    `<figure><figcaption>${look}</figcaption><a href="${file}"><img src="${file}" alt="" loading="lazy"></a></figure>`;
  const sections = [...pages].map(([page, pictures]) => `<h2 id="${page}">${page}</h2><div>${pictures.map(figure).join('')}</div>`);
  const links = [...pages.keys()].map((page) => `<a href="#${page}">${page}</a>`);
  return `<!doctype html><meta charset="utf-8"><title>Gallery</title><style>${STYLE}</style><h1>Gallery</h1><nav>${links.join('')}</nav>${sections.join('')}`;
}
