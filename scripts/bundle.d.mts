import type { Metafile } from 'esbuild';

/** What the package consists of besides declarations. */
export interface Bundle {
  /** The files by their path in `dist`. */
  readonly files: ReadonlyMap<string, string>;
  readonly metafile: Metafile;
  /** The files of each bundled package, relative to the root. */
  readonly used: ReadonlyMap<string, readonly string[]>;
}

export declare const bundle: () => Promise<Bundle>;

export declare const write: (files: Bundle['files'], dist: string) => void;
