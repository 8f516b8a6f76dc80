import { expect, test } from 'vitest';
import { indentJson } from './indent-json';

test.each([
  [
    '{"a":5000.0,"b":[],"c":{},"d":[{"e":null},"x, {y}: \\"z\\""]}',
    '{\n  "a": 5000.0,\n  "b": [],\n  "c": {},\n  "d": [\n    {\n      "e": null\n    },\n    "x, {y}: \\"z\\""\n  ]\n}',
  ],
  ['{"a":"cut', '{\n  "a": "cut'],
  ['', ''],
])('%s is indented', (json, text) => {
  expect(indentJson(json)).toBe(text);
});
