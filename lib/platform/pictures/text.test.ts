import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText, escapeXml, textWidth, wrapText } from './text';

const BOX = { size: 32, width: 520, most: 6 };

test('a text is broken between words, and a long word anywhere', () => {
  expect(wrapText('Duka la Mfano', BOX)).toEqual(['Duka la Mfano']);
  expect(wrapText('Kodi ya Novemba ya nyumba namba kumi na mbili, Kariakoo', BOX)).toEqual([
    'Kodi ya Novemba ya nyumba',
    'namba kumi na mbili, Kariakoo',
  ]);
  expect(wrapText('W'.repeat(40), BOX).map(({ length }) => length)).toEqual([16, 16, 8]);
  expect(wrapText(' \n ', BOX)).toEqual([]);
});

test('what does not fit ends in an ellipsis', () => {
  const lines = wrapText('W'.repeat(255), BOX);
  expect(lines).toHaveLength(6);
  expect(lines.at(-1)).toMatch(/^W+…$/);
});

test('no text makes a line too long, more lines than allowed, or invalid XML', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 1, max: 6 }), (text, most) => {
      const lines = wrapText(text, { ...BOX, most });
      expect(lines.length).toBeLessThanOrEqual(most);
      for (const line of lines) {
        expect(textWidth(line, BOX.size)).toBeLessThanOrEqual(BOX.width);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them.
        expect(escapeXml(line)).not.toMatch(/[\u0000-\u001f<\ufffe\uffff]|&(?!(?:amp|lt|gt|quot);)/);
      }
    }),
  );
});

test('characters that change the direction of what follows are removed', () => {
  expect(cleanText('a\u202eb\u2066 c\t\n d')).toBe('a b c d');
});
