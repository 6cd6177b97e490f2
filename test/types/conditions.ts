import type * as browser from '../../src/browser.js';
import type * as bun from '../../src/bun.js';
import type * as node from '../../src/node.js';
import type { Client, CommonClientOptions } from '../../src/index.js';
import type { Equal, Expect } from './equal.js';

/** What only Node.js has: proxies. */
type OfNode = 'proxyAgent' | 'proxyFromEnv';

/** A program for one runtime compiles for the others. */
export type SameSurface = [
  Expect<Equal<keyof typeof browser, keyof typeof bun>>,
  Expect<Equal<keyof typeof browser, Exclude<keyof typeof node, OfNode>>>,
  Expect<Equal<typeof browser.createClient, typeof bun.createClient>>,
  Expect<typeof node.createClient extends (options: CommonClientOptions) => Client ? true : false>,
  Expect<browser.ClientOptions extends node.ClientOptions ? true : false>,
];
