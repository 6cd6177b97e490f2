import type * as browser from '../../src/browser.js';
import type * as bun from '../../src/bun.js';
import type * as node from '../../src/node.js';
import type { Client, CommonClientOptions } from '../../src/index.js';
import type { Equal, Expect } from './equal.js';

/** What a page lacks: proxies. */
type NotOfPages = 'proxyAgent' | 'proxyFromEnv';

/** Address and key may come from the environment, which a page has none of. */
export type OfEnvironment = [
  Expect<typeof node.createClient extends () => Client ? true : false>,
  Expect<typeof bun.createClient extends (options: { tier: 'pro' }) => Client ? true : false>,
  Expect<typeof browser.createClient extends () => Client ? false : true>,
];

/** A program for a page compiles for the other runtimes, and one for Node.js for Bun. */
export type SameSurface = [
  Expect<Equal<keyof typeof bun, keyof typeof node>>,
  Expect<Equal<keyof typeof browser, Exclude<keyof typeof node, NotOfPages>>>,
  Expect<typeof node.createClient extends (options: CommonClientOptions) => Client ? true : false>,
  Expect<typeof bun.createClient extends (options: CommonClientOptions) => Client ? true : false>,
  Expect<browser.ClientOptions extends node.ClientOptions ? true : false>,
];
