const WORDS =
  'abstract|as|async|await|boolean|break|byte|case|catch|class|const|continue|def|do|echo|elif|else|except|export|extends|final|finally|float|for|foreach|from|function|if|import|in|int|is|lambda|let|match|namespace|new|not|or|pass|private|public|raise|readonly|record|return|static|string|switch|throw|throws|try|use|using|var|void|while|with|yield';
const LITERALS = 'true|false|null|None|True|False|undefined';

const STRING = String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|${'`'}(?:[^${'`'}\\]|\\.)*${'`'})`;
const HASH = String.raw`(?<comment>(?<=^|\s)#[^\n]*)`;
const SLASHES = String.raw`(?<comment>(?<![:\w])//[^\n]*|/\*[\s\S]*?\*/)`;
const REST = String.raw`(?<number>\b\d[\d_.]*\b)|\b(?<keyword>${WORDS})\b|\b(?<literal>${LITERALS})\b`;
const CODE = new RegExp(`${SLASHES}|${STRING}|${REST}`, 'gm');
const SCRIPT = new RegExp(`${HASH}|${STRING}|${REST}`, 'gm');
const SHELL = new RegExp(
  String.raw`${HASH}|${STRING}|(?<keyword>^(?:curl|export|npm|npx|pip|php|python3|node|composer|java|cd|git|unzip|BILI_\w+)\b)`,
  'gm',
);
const JSON_TEXT = new RegExp(
  String.raw`(?<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))|${STRING}|(?<number>-?\b\d[\d.]*\b)|\b(?<literal>true|false|null)\b`,
  'gm',
);
const HEADERS = /(?<key>^[\w-]+(?=: ))|(?<keyword>^(?:GET|POST)\b)/gm;

const GRAMMARS: Readonly<Record<string, RegExp>> = {
  php: new RegExp(`${SLASHES}|${STRING}|(?<key>\\$\\w+)|${REST}`, 'gm'),
  js: CODE,
  ts: CODE,
  java: CODE,
  python: SCRIPT,
  sh: SHELL,
  json: JSON_TEXT,
  http: HEADERS,
};

/** A piece of code, with the kind of its colour: `comment`, `string`, `number`, `keyword`, `literal`, `key`, or null. */
interface CodePiece {
  readonly kind: string | null;
  readonly text: string;
}

/** Splits code into comments, strings, numbers, keywords and names. Code in an unknown language stays in one piece. */
export function highlight(code: string, language: string): CodePiece[] {
  const grammar = GRAMMARS[language];
  if (!grammar) return [{ kind: null, text: code }];
  const pieces: CodePiece[] = [];
  let end = 0;
  for (const match of code.matchAll(grammar)) {
    const [kind = null] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    pieces.push({ kind: null, text: code.slice(end, match.index) }, { kind, text: match[0] });
    end = match.index + match[0].length;
  }
  return [...pieces, { kind: null, text: code.slice(end) }];
}
