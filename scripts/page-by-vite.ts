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
  const code = results.flatMap(({ output }) => output).map((file) => file.code ?? '');
  return new TextEncoder().encode(code.join(''));
};

/** Of what a build results in, the code of its files. */
interface Result {
  readonly output: readonly { readonly code?: string }[];
}
