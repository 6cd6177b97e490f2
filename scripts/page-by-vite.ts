import { build } from 'vite';
import { programOfPage } from './page-bundle.js';

/** Bundles the same program as `bundlePage` as a page is that is built by Vite and its defaults. */
export const bundlePageByVite = async (entry: URL): Promise<Uint8Array> => {
  const name = 'page.js';
  const page = {
    name: 'page',
    resolveId: (id: string) => (id === name ? id : undefined),
    load: (id: string) => (id === name ? programOfPage(entry) : undefined),
  };
  const built = await build({
    configFile: false,
    logLevel: 'error',
    plugins: [page],
    build: { write: false, modulePreload: false, rolldownOptions: { input: name } },
  });
  const results = (Array.isArray(built) ? built : [built]) as readonly Result[];
  const files = results.flatMap(({ output }) => output);
  const loaded = new Set(files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
  // A page loads what it imports dynamically only when it asks for it.
  for (const name of loaded)
    for (const path of files.find(({ fileName }) => fileName === name)?.imports ?? []) loaded.add(path);
  const code = files.filter(({ fileName }) => loaded.has(fileName)).map((file) => file.code ?? '');
  return new TextEncoder().encode(code.join(''));
};

/** Of what a build results in, the code of its files. */
interface Result {
  readonly output: readonly {
    readonly fileName: string;
    readonly code?: string;
    readonly isEntry?: boolean;
    readonly imports?: readonly string[];
  }[];
}
