import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';

/** What a page loads to run a job. */
export interface PageBundle {
  /** The minified script, with everything that it needs. */
  readonly code: Uint8Array;
  /** Minified bytes by package, and of ours by folder of `src`, the largest first. */
  readonly parts: readonly (readonly [name: string, bytes: number])[];
}

const root = new URL('../', import.meta.url);

/** The program of the page. */
export const programOfPage = (entry: URL): string => `
  import { createClient } from ${JSON.stringify(fileURLToPath(entry))};
  createClient({ baseUrl: 'https://service.example' }).run({}).subscribe(console.log);
`;

/** The program of a page that runs a job through a gateway. */
export const programOfRemotePage = (entry: URL): string => `
  import { createRemote } from ${JSON.stringify(fileURLToPath(entry))};
  createRemote().run({}).subscribe(console.log);
`;

/** The hooks of React in the program of a page; React itself is the page's own, and does not count. */
export const programOfHooks = (entry: URL): string => `
  import * as hooks from ${JSON.stringify(fileURLToPath(entry))};
  console.log(hooks.useConnection, hooks.useJob, hooks.useJobs, hooks.useOutputs, hooks.usePreview, hooks.useRun);
`;

/**
 * Bundles a program that makes a client and runs a job, for a browser.
 *
 * @param entry - The browser entry: of `dist` for the whole, of `src` for what its parts are.
 * @param conditions - Export conditions besides the usual ones of a bundler.
 */
export const bundlePage = (entry: URL, conditions: readonly string[] = []): Promise<PageBundle> =>
  bundleProgram(programOfPage(entry), { conditions });

/**
 * Bundles a program for a browser.
 *
 * @param options - Export conditions as above; `isWhole` leaves out what is imported on demand, so that the rest is one file, and
 * two programs can be compared: how they share files with what comes later says nothing of what they need.
 */
export const bundleProgram = async (
  program: string,
  { conditions = [], isWhole = false }: { conditions?: readonly string[]; isWhole?: boolean } = {},
): Promise<PageBundle> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: program,
      resolveDir: fileURLToPath(root),
    },
    bundle: true,
    // What the page imports only when it asks for it is a file of its own, and does not count.
    splitting: true,
    outdir: 'page',
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['react'],
    ...(conditions.length > 0 && { conditions: ['module', ...conditions] }),
    write: false,
    ...(isWhole && { plugins: [leaveLaterFilesOut] }),
    metafile: true,
    logLevel: 'error',
  });
  const parts = new Map<string, number>();
  const loaded = loadedAtOnce(metafile);
  for (const { inputs } of loaded.map((name) => metafile.outputs[name]!)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      parts.set(partOf(path), (parts.get(partOf(path)) ?? 0) + bytesInOutput);
    }
  }
  return {
    code: Buffer.concat(
      outputFiles
        .filter(({ path }) => loaded.some((name) => path.endsWith(name)))
        .map(({ contents }) => contents),
    ),
    parts: [...parts].toSorted(([, one], [, other]) => other - one),
  };
};

const leaveLaterFilesOut: Plugin = {
  name: 'leave-later-files-out',
  setup: (bundler) => {
    // The filter is a regular expression of Go, which knows no flag u.
    bundler.onResolve({ filter: /./ }, ({ kind }) =>
      kind === 'dynamic-import' ? { external: true } : undefined,
    );
  },
};

/** The files that a page loads with its program: the entry, and what it imports statically. */
const loadedAtOnce = ({ outputs }: Metafile): readonly string[] => {
  const loaded = new Set(
    Object.keys(outputs).filter((name) => outputs[name]?.entryPoint !== undefined && !isLater(outputs, name)),
  );
  for (const name of loaded)
    for (const { path, kind, external } of outputs[name]?.imports ?? [])
      if (kind === 'import-statement' && external !== true) loaded.add(path);
  return [...loaded];
};

/** Entries are also the files that another one imports dynamically. */
const isLater = (outputs: Metafile['outputs'], name: string): boolean =>
  Object.values(outputs).some(({ imports }) =>
    imports.some(({ path, kind }) => path === name && kind === 'dynamic-import'),
  );

/** What a page does with workflows, by the entry `promptwire/workflow`. */
export const workflowPrograms = {
  convertAndValidate: (entry: URL): string => `
    import { toApiWorkflow, validateWorkflow } from ${JSON.stringify(fileURLToPath(entry))};
    const { workflow } = toApiWorkflow({ nodes: [] }, {});
    console.log(workflow, validateWorkflow(workflow, {}));
  `,
  /** A program that uses one function to edit workflows. */
  edit: (entry: URL, name: string): string => `
    import { ${name} } from ${JSON.stringify(fileURLToPath(entry))};
    console.log(${name});
  `,
  findInFile: (entry: URL): string => `
    import { workflowIn } from ${JSON.stringify(fileURLToPath(entry))};
    workflowIn(new Blob([])).then(console.log);
  `,
} as const;

const partOf = (path: string): string =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ??
  `promptwire ${/(?:^|\/)src\/((?:(?:core|client)\/)?[^/]+)\//.exec(path)?.[1] ?? 'entry'}`;
