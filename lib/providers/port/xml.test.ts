import { expect, test } from 'vitest';
import { readFlatXml, writeFlatXml } from './xml';

test('a flat document is read, with entities, CDATA and spaces', () => {
  const text = '<?xml version="1.0"?>\n<COMMAND>\n <TYPE> A&amp;B </TYPE><NAME><![CDATA[<Asha>]]></NAME><EMPTY/></COMMAND>';
  expect(readFlatXml(text, 'COMMAND')).toEqual({ TYPE: 'A&B', NAME: '<Asha>', EMPTY: '' });
});

test('white space before the declaration does not matter', () => {
  expect(readFlatXml('\r\n<?xml version="1.0"?><COMMAND><TYPE>A</TYPE></COMMAND>\n', 'COMMAND')).toEqual({ TYPE: 'A' });
});

test('what is written is read', () => {
  const fields = { TYPE: 'a & b < c > d', REF: '1' };
  expect(readFlatXml(writeFlatXml('COMMAND', fields), 'COMMAND')).toEqual(fields);
});

test.each([
  ['nothing', ''],
  ['text', 'COMMAND'],
  ['HTML', '<html><p>x</html>'],
  ['another root', '<OTHER><A>1</A></OTHER>'],
  ['no elements', '<COMMAND>1</COMMAND>'],
  ['deeper elements', '<COMMAND><A><B>1</B></A></COMMAND>'],
  ['a repeated element', '<COMMAND><A>1</A><A>2</A></COMMAND>'],
  ['an unclosed element', '<COMMAND><A>1</COMMAND>'],
  ['two roots', '<COMMAND><A>1</A></COMMAND><COMMAND><B>1</B></COMMAND>'],
  ['an unknown entity', '<COMMAND><A>&x;</A></COMMAND>'],
  ['a declared entity', '<!DOCTYPE COMMAND [<!ENTITY x "y">]><COMMAND><A>&x;</A></COMMAND>'],
  ['a null byte', '<COMMAND><A>\u0000</A></COMMAND>'],
])('%s is not read', (_name, text) => {
  expect(readFlatXml(text, 'COMMAND')).toBeNull();
});

test('names of the prototype are ordinary names', () => {
  expect(readFlatXml('<COMMAND><constructor>1</constructor></COMMAND>', 'COMMAND')).toEqual({ constructor: '1' });
});
