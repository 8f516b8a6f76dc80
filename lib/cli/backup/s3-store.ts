import { S3Client } from '@bradenmacdonald/s3-lite-client';
import { z } from 'zod';
import { UserError } from '@/lib/cli/terminal/output';
import type { BackupStore } from './folder-store';
import { MANIFEST } from './format';
import { fromWeb, toWeb } from './web-streams';

/** The size of the pieces of an upload, bytes. S3 allows 10,000 pieces, so a part of a backup may have 320 GB. Four are in memory at once. */
const PIECE = 32 * 1024 * 1024;

/** The variables that every tool for S3 reads. */
const variablesSchema = z.object({
  AWS_ENDPOINT_URL: z.url().optional(),
  AWS_REGION: z.string().default('us-east-1'),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.string().optional(),
});

const ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])\/?(.*?)\/?$/;

/** Returns whether a place is in a bucket, and not a folder. */
export function isBucket(place: string): boolean {
  return place.startsWith('s3:');
}

/**
 * Opens backups in an S3-compatible store: `s3://bucket/prefix`. The bucket must exist. Throws a UserError if the address or a variable is
 * not valid.
 */
export function openBucket(place: string, env: Readonly<Record<string, string | undefined>>): BackupStore {
  const [, bucket, path = ''] = ADDRESS.exec(place) ?? [];
  if (bucket === undefined) throw new UserError(`"${place}" is no address of a bucket: write s3://bucket/prefix.`);
  const { data: variables, error } = variablesSchema.safeParse(env);
  if (!variables)
    throw new UserError(
      `A bucket needs the variables of AWS: ${error.issues.map(({ path: name, message }) => `${name.join()}: ${message}`).join(', ')}.`,
    );
  const { AWS_REGION: region, AWS_SESSION_TOKEN: sessionToken } = variables;
  const client = new S3Client({
    endPoint: variables.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket,
    accessKey: variables.AWS_ACCESS_KEY_ID,
    secretKey: variables.AWS_SECRET_ACCESS_KEY,
    ...(sessionToken && { sessionToken }),
  });
  const prefix = path === '' ? '' : `${path}/`;

  async function list(within = ''): Promise<string[]> {
    const paths: string[] = [];
    for await (const { key } of client.listObjects({ prefix: prefix + within })) paths.push(key.slice(prefix.length));
    return paths;
  }

  return {
    list: () => asked('list', list()),
    async read(name) {
      const { body } = await asked(`read ${name}`, client.getObject(prefix + name));
      if (!body) throw new UserError(`${place}/${name} is empty.`);
      return fromWeb(body);
    },
    async write(name, content) {
      // An upload that fails is never completed, so no object appears.
      await asked(`write ${name}`, client.putObject(prefix + name, toWeb(content), { partSize: PIECE }));
    },
    async remove(backup) {
      const paths = (await asked('list', list(`${backup}/`))).sort(
        (one, other) => Number(other.endsWith(MANIFEST)) - Number(one.endsWith(MANIFEST)),
      );
      for (const name of paths) await asked(`delete ${name}`, client.deleteObject(prefix + name));
    },
  };

  /** Says what could not be done. Errors of the content that is written stay as they are. */
  async function asked<Value>(what: string, answer: Promise<Value>): Promise<Value> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof UserError) throw error;
      const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
      throw new UserError(`${place} could not be used to ${what}: ${error instanceof Error ? error.message : String(error)}${cause}.`);
    }
  }
}
