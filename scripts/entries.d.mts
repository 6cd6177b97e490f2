/** An entry of the package: what a program imports by one name. */
export interface Entry {
  /** The name, such as `promptwire/emulator`. */
  readonly specifier: string;
  /** Its modules, as paths below `src` and `dist` without an extension: one, or one for each condition of the export. */
  readonly modules: readonly string[];
  /** The module whose declarations are rolled up; conditions of an export share `index`, and add their own `createClient`. */
  readonly declared: string;
  /** The module that its API report describes. */
  readonly reported: string;
  /** The file of that report, in `docs`. */
  readonly report: string;
}

export declare const root: string;
/** The contents of package.json. */
export declare const manifest: {
  readonly name: string;
  readonly homepage: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
};
export declare const entries: readonly Entry[];
/** The modules of the commands. */
export declare const commands: readonly string[];
/** All modules that are files of their own in `dist`. */
export declare const modules: readonly string[];
