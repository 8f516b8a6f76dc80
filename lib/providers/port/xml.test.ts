import { expect, test } from 'vitest';
import { readFlatXml, writeFlatXml } from './xml';

test('a flat document is read, with entities, CDATA and spaces', () => {
  const text = '<?xml version="1.0"?>\n<COMMAND>\n <TYPE> A&amp;B </TYPE><NAME><![CDATA[<Asha>]]></NAME><EMPTY/></COMMAND>';
  expect(readFlatXml(text, 'COMMAND')).toEqual({ TYPE: 'A&B', NAME: '<Asha>', EMPTY: '' });
});

test('white space before the declaration does not matter', () => {
  expect(readFlatXml('\r\n<?xml version="1.0"?><COMMAND><TYPE>A</TYPE></COMMAND>\n', 'COMMAND')).toEqual({ TYPE: 'A' });
});

test('a DOCTYPE that only names a grammar, and prefixes of namespaces, do not matter', () => {
  const doctype = '<!DOCTYPE COMMAND PUBLIC "-//Ocam//DTD XML Command 1.0//EN" "xml/command.dtd">';
  expect(readFlatXml(`<?xml version="1.0"?>${doctype}<COMMAND><TYPE>A</TYPE></COMMAND>`, 'COMMAND')).toEqual({ TYPE: 'A' });
  const prefixed = '<ns2:COMMAND xmlns:ns2="urn:x"><ns2:TYPE>A</ns2:TYPE><REF>1</REF></ns2:COMMAND>';
  expect(readFlatXml(prefixed, 'COMMAND')).toEqual({ TYPE: 'A', REF: '1' });
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
  ['an entity of a grammar elsewhere', '<!DOCTYPE COMMAND SYSTEM "x.dtd"><COMMAND><A>&x;</A></COMMAND>'],
  ['an element twice, with two prefixes', '<COMMAND><a:A>1</a:A><b:A>2</b:A></COMMAND>'],
  ['a null byte', '<COMMAND><A>\u0000</A></COMMAND>'],
])('%s is not read', (_name, text) => {
  expect(readFlatXml(text, 'COMMAND')).toBeNull();
});

test('names of the prototype are ordinary names', () => {
  expect(readFlatXml('<COMMAND><constructor>1</constructor></COMMAND>', 'COMMAND')).toEqual({ constructor: '1' });
});
