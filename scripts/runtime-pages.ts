import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { manifest } from './entries.mjs';

/** A runtime or framework that the tests run the package with, and the program that they run. */
interface Tested {
  /** The name of its page. */
  readonly name: string;
  readonly title: string;
  /** What is installed, and from where its version is. */
  readonly version: string;
  /** What a reader has to know, in a paragraph or two. */
  readonly text: string;
  /** The file of docs/recipes that is run. */
  readonly recipe: string;
  /** Where more is said. */
  readonly more: string;
}

const url = (path: string): URL => new URL(`../${path}`, import.meta.url);
const gates = readFileSync(url('.ci/run'), 'utf8');

/** The version of a package that `.ci/run` installs. */
const installed = (name: string): string => {
  const [, version] =
    new RegExp(`[\\s"]${name.replace('/', '\\/')}@(\\d+(?:\\.\\d+)*)`, 'u').exec(gates) ?? [];
  if (version === undefined) throw new Error(`.ci/run installs no ${name}`);
  return version;
};

/** The version of a package that the tests have. */
const developed = (name: string): string => {
  const version = manifest.devDependencies[name];
  if (version === undefined) throw new Error(`package.json has no ${name}`);
  return version;
};

const page = (tests: string): string =>
  `The page submits by the name of a template, shows the job as it runs, and goes on with it after a reload. It talks to a [gateway](../guide/gateway.md) at its own origin, which keeps the key: [the server of the recipes](../recipes/page/server.ts) is one. ${tests}`;

const compiled = page('The tests compile it and check its types, and play no browser.');

const tested: readonly Tested[] = [
  {
    name: 'node',
    title: 'Node.js',
    version: `Node.js ${manifest.engines.node}`,
    text: 'Install `promptwire` and `rxjs`. No configuration is needed. All tests run on Node.js 20, and those near the modules and the programs of a consumer on 22, 24 and 26 as well. CommonJS programs load the package by `require` ([how](../guide/runtimes.md#commonjs)).',
    recipe: 'for-await.ts',
    more: '[First steps](../guide/first-steps.md), [promises](../guide/promises.md), [proxies](../guide/platform.md#proxies)',
  },
  {
    name: 'deno',
    title: 'Deno',
    version: `Deno ${installed('deno')}`,
    text: 'Import `npm:promptwire`, or install it with `deno add npm:promptwire npm:rxjs`. A program needs `--allow-net`, and for files `--allow-read`, `--allow-write` and, for uploads, `--allow-sys`. Library, emulator and command are tested, and this gateway.',
    recipe: 'gateway-deno.mjs',
    more: '[Runtimes](../guide/runtimes.md), [a gateway](../guide/gateway.md)',
  },
  {
    name: 'bun',
    title: 'Bun',
    version: `Bun ${installed('bun')}`,
    text: 'Bun selects its own build of the package by the export condition `bun`. Library, emulator and command are tested, and this gateway. [What differs](../guide/runtimes.md#bun) is how connections are reused, and when a program ends that does not close its client.',
    recipe: 'gateway-bun.mjs',
    more: '[Runtimes](../guide/runtimes.md), [a gateway](../guide/gateway.md)',
  },
  {
    name: 'browsers',
    title: 'Browsers',
    version: 'Chromium, and whatever else knows ES2022',
    text: 'A page talks to a gateway, which keeps the key. This is what its requests are; `promptwire/remote` makes them for you.',
    recipe: 'visitor.ts',
    more: '[Browsers](../guide/browser.md), [watch jobs in a page](../guide/remote.md)',
  },
  {
    name: 'react',
    title: 'React',
    version: `React ${developed('react')} and 18.3`,
    text: `\`promptwire/react\` has hooks over a client or a remote, which are tested with both versions. ${page('The tests open it in Chromium with React 19: it runs jobs, reloads in the middle of one, and loses the network.')}`,
    recipe: 'page/react.tsx',
    more: '[React](../guide/react.md)',
  },
  {
    name: 'vue',
    title: 'Vue',
    version: `Vue ${installed('vue')}, with @vueuse/rxjs ${installed('@vueuse/rxjs')}`,
    text: `Vue has no adapter here: \`useObservable\` of \`@vueuse/rxjs\` is enough. ${compiled}`,
    recipe: 'page/vue.vue',
    more: '[Watch jobs in a page](../guide/remote.md)',
  },
  {
    name: 'svelte',
    title: 'Svelte',
    version: `Svelte ${installed('svelte')}`,
    text: `An Observable is a store of Svelte as it is: \`$states\` subscribes to it. ${compiled}`,
    recipe: 'page/svelte.svelte',
    more: '[Watch jobs in a page](../guide/remote.md)',
  },
  {
    name: 'angular',
    title: 'Angular',
    version: `Angular ${installed('@angular/core')}`,
    text: `Angular is made of RxJS: the async pipe takes the streams as they are. ${compiled}`,
    recipe: 'page/angular.ts',
    more: '[Watch jobs in a page](../guide/remote.md)',
  },
  {
    name: 'express',
    title: 'Express',
    version: `Express ${developed('express')}`,
    text: 'A gateway is a handler of `Request` and `Response`; `toNodeHandler` makes middleware of it. It reads bodies itself, so it comes before every parser of bodies.',
    recipe: 'gateway-express.ts',
    more: '[A gateway](../guide/gateway.md)',
  },
  {
    name: 'fastify',
    title: 'Fastify',
    version: `Fastify ${developed('fastify')}`,
    text: 'A gateway answers on the raw request and response, so that Fastify parses no body.',
    recipe: 'gateway-fastify.ts',
    more: '[A gateway](../guide/gateway.md)',
  },
  {
    name: 'hono',
    title: 'Hono',
    version: `Hono ${developed('hono')}`,
    text: 'Hono passes a `Request` on, which is what a gateway takes.',
    recipe: 'gateway-hono.ts',
    more: '[A gateway](../guide/gateway.md)',
  },
  {
    name: 'next',
    title: 'Next',
    version: `Next ${installed('next')}, built and started`,
    text: 'A route handler of the app router gets a `Request` and gives a `Response`, as a gateway does. The gateway is made with the first request, since an app is built where no secrets are.',
    recipe: 'gateway-next.mjs',
    more: '[A gateway](../guide/gateway.md)',
  },
  {
    name: 'nitro',
    title: 'Nitro',
    version: `Nitro ${installed('nitropack')} (the package \`nitropack\`), built and started`,
    text: 'Nitro, the server of Nuxt, hands the request of Node.js on, so that no one has read its body. The gateway is made with the first request, since an app is built where no secrets are.',
    recipe: 'gateway-nitro.mjs',
    more: '[A gateway](../guide/gateway.md)',
  },
];

/** Every page of a runtime or framework, with the file that it is. */
export const runtimePages = (): Promise<readonly (readonly [file: URL, text: string])[]> =>
  Promise.all(tested.map(async (one) => [url(`docs/runtimes/${one.name}.md`), await pageOf(one)] as const));

const pageOf = async ({ name, title, version, text, recipe, more }: Tested): Promise<string> => {
  const code = readFileSync(url(`docs/recipes/${recipe}`), 'utf8').trim();
  const language = recipe.slice(recipe.lastIndexOf('.') + 1);
  const path = fileURLToPath(url(`docs/runtimes/${name}.md`));
  const lines = [
    `# ${title}`,
    text,
    `**Tested with:** ${version}.`,
    `The program that is tested, [\`docs/recipes/${recipe}\`](../recipes/${recipe}):`,
    `\`\`\`${language === 'mjs' ? 'js' : language}\n${code}\n\`\`\``,
    `More: ${more}.`,
  ];
  return format(lines.join('\n\n'), { ...(await resolveConfig(path)), filepath: path });
};
