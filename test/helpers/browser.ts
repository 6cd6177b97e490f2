import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';

/** A page of a browser. */
export interface BrowserPage {
  /** Gives what an expression is in the page, as JSON; awaits a promise. */
  readonly evaluate: <A = unknown>(expression: string) => Promise<A>;
  readonly reload: () => Promise<void>;
  /** Takes the network from the page, and gives it back. */
  readonly setOffline: (isOffline: boolean) => Promise<void>;
  /** Freezes the page, as a browser does with a tab that nobody looks at, and thaws it. */
  readonly setFrozen: (isFrozen: boolean) => Promise<void>;
  /** The errors of its console so far, uncaught ones included. */
  readonly errors: readonly string[];
  /** A picture of the page, as PNG. */
  readonly screenshot: () => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

/** A browser without a window. */
export interface Browser extends AsyncDisposable {
  readonly open: (address: string) => Promise<BrowserPage>;
}

/** A message of the DevTools protocol. */
interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

const quiet = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'];
const flags = ['headless', 'no-sandbox', 'no-first-run', 'remote-debugging-port=0', 'window-size=600,440'];

/** Starts Chromium and speaks the DevTools protocol with it. */
export const startBrowser = async (chromium: string): Promise<Browser> => {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  const all = [...flags, ...quiet.map((what) => `disable-${what}`), `user-data-dir=${profile}`];
  const child = spawn(chromium, [...all.map((flag) => `--${flag}`), 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const gone = once(child, 'close');
  const { send, listen, socket } = await connect(await addressOf(child));
  return {
    open: async (address) => {
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      const page = pageOf(send, listen, String(targetId), String(sessionId));
      await page.goTo(address);
      return page;
    },
    [Symbol.asyncDispose]: async () => {
      socket.terminate();
      child.kill();
      await gone;
      // Its helpers may write to the profile for a moment longer.
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
};

type Send = (
  method: string,
  params?: object,
  sessionId?: string,
) => Promise<Readonly<Record<string, unknown>>>;
type Listen = (listener: (message: Message) => void) => void;

/** The address at which the browser speaks the protocol, as it prints it. */
const addressOf = async ({ stderr }: ChildProcess): Promise<string> => {
  let printed = '';
  for await (const chunk of stderr!) {
    printed += String(chunk);
    const address = /ws:\/\/\S+/u.exec(printed)?.[0];
    if (address === undefined) continue;
    stderr!.resume();
    return address;
  }
  throw new Error(`Chromium ended: ${printed}`);
};

const connect = async (address: string) => {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  const waiting = new Map<number, (message: Message) => void>();
  const listeners: ((message: Message) => void)[] = [];
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.id === undefined) for (const listener of listeners) listener(message);
    else waiting.get(message.id)?.(message);
  });
  await once(socket, 'open');
  const send: Send = (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = (last += 1);
      waiting.set(id, ({ result = {}, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result);
        else reject(new Error(`${method}: ${error.message}`));
      });
      socket.send(JSON.stringify({ id, method, params, sessionId }));
    });
  const listen: Listen = (listener) => void listeners.push(listener);
  return { socket, send, listen };
};

const pageOf = (send: Send, listen: Listen, targetId: string, sessionId: string) => {
  const errors: string[] = [];
  let loaded = (): void => undefined;
  let isOffline = false;
  const call = (method: string, params?: object) => send(method, params, sessionId);
  listen(({ sessionId: from, method, params }) => {
    if (from !== sessionId) return;
    if (method === 'Page.loadEventFired') loaded();
    const error = errorIn(method, params);
    // Requests that fail while the page has no network are what is tested; the page may tell of them once it has it again.
    if (error === undefined || error.includes('net::ERR_INTERNET_DISCONNECTED')) return;
    if (!(isOffline && error.startsWith('network'))) errors.push(error);
  });
  const load = async (method: string, params?: object): Promise<void> => {
    const done = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    await call(method, params);
    await done;
  };
  return {
    errors,
    goTo: async (url: string) => {
      for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`);
      await load('Page.navigate', { url });
    },
    evaluate: async <A>(expression: string) => {
      const { result, exceptionDetails } = await call('Runtime.evaluate', {
        ...{ expression, awaitPromise: true, returnByValue: true, userGesture: true },
      });
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return (result as { readonly value: A }).value;
    },
    reload: () => load('Page.reload'),
    setOffline: async (offline: boolean) => {
      isOffline ||= offline;
      const line = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      await call('Network.emulateNetworkConditions', { offline, ...line });
      isOffline = offline;
    },
    setFrozen: async (isFrozen: boolean) => {
      await call('Page.setWebLifecycleState', { state: isFrozen ? 'frozen' : 'active' });
    },
    screenshot: async () => {
      const { data } = await call('Page.captureScreenshot', { format: 'png' });
      return Buffer.from(String(data), 'base64');
    },
    close: async () => {
      await send('Target.closeTarget', { targetId });
    },
  };
};

/** What a message says of an error, and where it comes from. */
const errorIn = (method: string | undefined, params: Message['params']): string | undefined => {
  const of = params as Readonly<Record<'entry' | 'exceptionDetails', Readonly<Record<string, unknown>>>>;
  if (method === 'Runtime.exceptionThrown') return `uncaught: ${JSON.stringify(of.exceptionDetails)}`;
  if (method === 'Runtime.consoleAPICalled' && params?.['type'] === 'error')
    return `console: ${JSON.stringify(params['args'])}`;
  if (method === 'Log.entryAdded' && of.entry['level'] === 'error')
    return `${String(of.entry['source'])}: ${String(of.entry['text'])} ${String(of.entry['url'])}`;
  return undefined;
};
