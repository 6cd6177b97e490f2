import { build } from 'esbuild';
import { createRequire } from 'node:module';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tmpdir } from 'node:os';
import type * as Hooks from '../../src/react.js';

/** What React makes of a component. */
export type Element = object;
/** A component without children, or a name of the document's. */
export type Component<Props> = ((props: Props) => unknown) | string;

/** A version of React over a document of its own, and the hooks on top of it. */
export interface LoadedReact {
  readonly hooks: typeof Hooks;
  readonly examples: readonly Readonly<Record<string, Component<Record<string, unknown>>>>[];
  readonly StrictMode: Component<object>;
  /** Of React 19 alone. */
  readonly Activity?: Component<{ readonly mode: string }>;
  readonly createElement: <Props extends object>(
    component: Component<Props>,
    props?: Props | null,
    ...children: readonly unknown[]
  ) => Element;
  readonly useEffect: (effect: () => unknown, by: readonly unknown[]) => void;
  readonly useLayoutEffect: (effect: () => unknown) => void;
  readonly startTransition: (change: () => void) => void;
  readonly act: (what: () => unknown) => Promise<void>;
  readonly renderToString: (element: Element) => string;
  readonly createRoot: (place: object) => Root;
  readonly hydrateRoot: (place: object, element: Element) => Root;
  /** Lets React render in pieces, as in a browser, while this is under way. */
  readonly concurrently: (what: () => Promise<void>) => Promise<void>;
  /** Makes a place to render into, with this content. */
  readonly place: (html?: string) => Place;
}

export interface Root {
  readonly render: (element: unknown) => void;
  readonly unmount: () => void;
}

export interface Place {
  readonly textContent: string;
  readonly innerHTML: string;
  readonly querySelectorAll: (selector: string) => Iterable<Place & { readonly click: () => void }>;
}

const root = join(import.meta.dirname, '..', '..');

const program = (examples: readonly string[]): string => `
  ${examples.map((file, at) => `import * as example${at} from ${JSON.stringify(file)};`).join('\n')}
  export const examples = [${examples.map((_, at) => `example${at}`).join()}];
  export * as hooks from 'promptwire/react';
  import * as React from 'react';
  export const { Activity } = React;
  export { StrictMode, createElement, useEffect, useLayoutEffect, startTransition, act } from 'react';
  export { createRoot, hydrateRoot } from 'react-dom/client';
  export { renderToString } from 'react-dom/server';
`;

/**
 * Loads React of a folder of packages, in the place of a browser's, with these examples as modules of their own; `packages` has
 * happy-dom.
 */
export const loadReact = async (
  react: string,
  packages: string,
  examples: readonly string[] = [],
): Promise<LoadedReact> => {
  const { Window } = (await import(
    pathToFileURL(join(packages, 'happy-dom', 'lib', 'index.js')).href
  )) as HappyDom;
  const window = new Window({ url: 'http://page.test/' });
  const { document, navigator, location } = window;
  const globals = {
    ...{ window, document, navigator, location, IS_REACT_ACT_ENVIRONMENT: true },
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  const folder = await mkdtemp(join(tmpdir(), 'react-'));
  const outfile = join(folder, 'react.cjs');
  const files = examples.map((_, at) => join(folder, `example-${at}.tsx`));
  await Promise.all(files.map((file, at) => writeFile(file, examples[at]!)));
  const entry = (name: string) => join(root, 'src', `${name}.ts`);
  await build({
    stdin: { contents: program(files), resolveDir: root },
    ...{ bundle: true, outfile, format: 'cjs', platform: 'node', jsx: 'automatic', logLevel: 'error' },
    alias: {
      ...{ react: join(react, 'react'), 'react-dom': join(react, 'react-dom') },
      ...{ 'promptwire/react': entry('react'), 'promptwire/remote': entry('remote') },
      promptwire: entry('browser'),
    },
  });
  const loaded = createRequire(outfile)(outfile) as Omit<LoadedReact, 'place' | 'concurrently'>;
  await rm(folder, { recursive: true });
  return {
    ...loaded,
    concurrently: async (what) => {
      Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
      await what().finally(() => Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true }));
    },
    place: (html = '') => {
      const place = window.document.createElement('main');
      place.innerHTML = html;
      window.document.body.appendChild(place);
      return place;
    },
  };
};

interface HappyDom {
  readonly Window: new (options: object) => {
    readonly navigator: object;
    readonly location: { readonly hash: string };
    readonly addEventListener: (name: string, listener: () => void) => void;
    readonly removeEventListener: (name: string, listener: () => void) => void;
    readonly document: {
      readonly createElement: (name: string) => Place & { innerHTML: string };
      readonly body: { readonly appendChild: (place: object) => void };
    };
  };
}
