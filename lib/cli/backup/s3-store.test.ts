import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '@/testing/free-ports';
import { openBucket } from './s3-store';

const [port = 0] = await freePorts(1);
const ENV = { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
const open = (place: string, env: Readonly<Record<string, string>> = ENV) => openBucket(place, env);

let folder = '';
let server: S3rver;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-s3-'));
  const configureBuckets = [{ name: 'backups', configs: [] }];
  server = new S3rver({ directory: folder, port, address: '127.0.0.1', silent: true, configureBuckets });
  await server.run();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test('objects are written in pieces, read, listed and deleted within the prefix', async () => {
  const [store, other] = [open('s3://backups/bili/live/'), open('s3://backups/bili')];
  // More than one piece, of a length that is not known before.
  const chunks = Array.from({ length: 40 }, () => randomBytes(1024 * 1024));
  await store.write('one/database.age', Readable.from(chunks));
  await store.write('one/manifest.json', Readable.from([Buffer.from('{}')]));
  await other.write('two/manifest.json', Readable.from([Buffer.from('{}')]));
  expect((await store.list()).toSorted()).toEqual(['one/database.age', 'one/manifest.json']);
  expect((await buffer(await store.read('one/database.age'))).equals(Buffer.concat(chunks))).toBe(true);
  await store.remove('one');
  expect(await store.list()).toEqual([]);
  expect(await other.list()).toEqual(['two/manifest.json']);
  await expect(store.read('one/manifest.json')).rejects.toThrow(/read one\/manifest\.json/);
});

test('an upload that breaks off leaves no object', async () => {
  const store = open('s3://backups/broken');
  async function* breaking() {
    for (let piece = 0; piece < 40; piece += 1) yield randomBytes(1024 * 1024);
    throw new Error('the database is gone');
  }
  await expect(store.write('one/database.age', Readable.from(breaking()))).rejects.toThrow('the database is gone');
  expect(await store.list()).toEqual([]);
});

test('a wrong address, missing variables, a wrong key and a missing bucket are named', async () => {
  expect(() => open('s3:/backups')).toThrow(/s3:\/\/bucket\/prefix/);
  expect(() => open('s3://backups', {})).toThrow(/AWS_ACCESS_KEY_ID.*AWS_SECRET_ACCESS_KEY/);
  await expect(open('s3://backups', { ...ENV, AWS_ACCESS_KEY_ID: 'wrong' }).list()).rejects.toThrow(/key/i);
  await expect(open('s3://nowhere').list()).rejects.toThrow(/bucket/);
  await expect(open('s3://backups', { ...ENV, AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }).list()).rejects.toThrow(/s3:\/\/backups/);
});
