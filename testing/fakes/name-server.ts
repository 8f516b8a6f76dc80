import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** The IPv4 and IPv6 addresses of a name. `silence` means that queries get no answer. */
export type NameAnswer = readonly string[] | 'silence';

/** A name server on real UDP. */
export interface TestNameServer {
  /** Returns the address of the server, for `setServers`. */
  address(): string;
  /** Sets the answers about a name. Each IPv4 query gets the next answer; the last answer repeats. Names without answers do not exist. */
  answer(name: string, ...answers: readonly NameAnswer[]): void;
  /** The TTL of all answers in seconds. Each test begins with 0. */
  ttl(seconds: number): void;
  /** The received queries, for example `A shop.test`. */
  readonly questions: string[];
}

const TYPES: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** Starts a name server for a test file. */
export function testNameServer(): TestNameServer {
  const socket = createSocket('udp4');
  const zone = new Map<string, NameAnswer[]>();
  const questions: string[] = [];
  let ttl = 0;
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    questions.push(`${TYPES[type] ?? type} ${name}`);
    const answers = zone.get(name);
    const answer = type === 1 && answers && answers.length > 1 ? answers.shift() : answers?.[0];
    if (answer === 'silence') return;
    const records = answer?.filter((address) => address.includes(':') === (type === 28)).map((address) => record(type, address, ttl)) ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(answer ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
  });
  beforeAll(async () => {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  });
  beforeEach(() => {
    zone.clear();
    ttl = 0;
    questions.length = 0;
  });
  afterAll(() => socket.close());
  return {
    address: () => `127.0.0.1:${socket.address().port}`,
    answer: (name, ...answers) => zone.set(name, [...answers]),
    ttl(seconds) {
      ttl = seconds;
    },
    questions,
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Builds a record for the queried name (RFC 1035, 4.1.4: a pointer to offset 12). @param ttl up to 65,535 seconds. */
function record(type: number, address: string, ttl: number): Buffer {
  const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, ttl >> 8, ttl & 255, 0, data.length]);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array.from({ length: missing }, () => '0'), ...groups(after)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
