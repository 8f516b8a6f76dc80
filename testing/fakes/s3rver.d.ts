// The package s3rver has no types.
declare module 's3rver' {
  interface S3rverOptions {
    readonly directory: string;
    readonly port: number;
    readonly address: string;
    readonly silent: boolean;
    readonly configureBuckets: readonly { readonly name: string; readonly configs: readonly string[] }[];
  }

  /** A server of S3's API that stores objects in a folder. Its access key and its secret are S3RVER. */
  export default class S3rver {
    constructor(options: S3rverOptions);
    run(): Promise<unknown>;
    close(): Promise<void>;
  }
}
