import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const NO_CELL = '';

/** Returns the files of a ZIP archive by their paths. Reads only what the workbooks of Bili need. */
export function unzip(archive: Buffer): ReadonlyMap<string, string> {
  let end = archive.length - 22;
  while (archive.readUInt32LE(end) !== END) end -= 1;
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, name, extra, comment] = [
      archive.readUInt32LE(at + 20),
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
      archive.readUInt16LE(at + 32),
    ];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files.set(archive.toString('utf8', at + 46, at + 46 + name), inflateRawSync(archive.subarray(start, start + size)).toString());
    at += 46 + name + extra + comment;
  }
  return files;
}

/** Returns the rows of a sheet: texts in quotes, numbers as they are stored, formulas with an equals sign. */
export function sheetRows(xml: string): string[][] {
  return [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c [^>]*>(.*?)<\/c>/gs)].map(([, cell = NO_CELL]) => {
      const text = /<t [^>]*>(.*?)<\/t>/s.exec(cell)?.[1];
      if (text !== undefined) return JSON.stringify(text);
      const formula = /<f>(.*?)<\/f>/.exec(cell)?.[1];
      return (formula === undefined ? '' : `=${formula} `) + (/<v>(.*?)<\/v>/.exec(cell)?.[1] ?? '');
    }),
  );
}
