import axe from 'axe-core';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { createServer } from 'node:http';
import { inject } from 'vitest';
import { join } from 'node:path';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { bearerTokens, createGateway, type GatewayOptions } from '../../../src/gateway.js';
import { createClient } from '../../../src/node.js';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../src/emulator.js';
import { readStudio, withStudio } from '../../../src/cli/serving/studio-files.js';
import { filePorts, toNodeHandler } from '../../../src/gateway-node.js';

/** What a test chooses of the studio that it opens. */
interface StudioPageOptions {
  readonly emulator?: EmulatorOptions;
  /** Callers and their tokens; without them the gateway is one of this machine. */
  readonly tokens?: Readonly<Record<string, string>>;
  readonly gateway?: Partial<GatewayOptions>;
  /** The folder in which the gateway keeps its jobs. */
  readonly data?: string;
}

/** The studio of the built package in a browser, before an emulator. */
export interface StudioPage extends AsyncDisposable {
  readonly page: Page;
  readonly address: string;
  readonly emulator: Emulator;
  /** Cuts all connections of the pages, as a proxy that restarts does. */
  readonly cut: () => void;
  /** Ends the gateway, as its process ends, and starts another one at the same address once `meanwhile` is over. */
  readonly restart: (meanwhile?: () => Promise<unknown>) => Promise<void>;
  /** Opens another tab of the same browser. */
  readonly openTab: (address?: string) => Promise<Page>;
  /** Opens the page in another browser, which shares nothing with the first one. */
  readonly openElsewhere: (address?: string) => Promise<Page>;
  /** What the pages have told as errors: of the console, of scripts, and of the policy of their content. */
  readonly errors: readonly string[];
}

/** A camera that sees a picture of its own, which the page may use without asking a person. */
const fakeCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

/** Starts service, gateway and browser, and opens the page. */
export const openStudioPage = async (
  executablePath: string,
  { emulator: emulated = {}, tokens, gateway: own = {}, data }: StudioPageOptions = {},
): Promise<StudioPage> => {
  const emulator = await startEmulator({ speed: 4, ...emulated });
  const { baseUrl, wsUrl, apiKey } = emulator;
  const folder = pathToFileURL(join(inject('builtPackage'), 'dist', 'studio', '/'));
  const files = (await readStudio(folder))({ service: 'an emulator' });
  const startGateway = async (port: number) => {
    const client = createClient({ baseUrl, wsUrl, apiKey });
    const gateway = createGateway({
      client,
      authorize: tokens === undefined ? () => ({ name: 'local' }) : bearerTokens(tokens),
      loopbackOnly: tokens === undefined,
      limits: { requestsPerSecond: 10_000, jobs: 1_000 },
      ...(data !== undefined && (await filePorts(data))),
      ...own,
    });
    const server = createServer(toNodeHandler(withStudio(gateway, files, own.mount)));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return { client, gateway, server, port: (server.address() as AddressInfo).port };
  };
  const stopGateway = async ({ client, gateway, server }: Started): Promise<void> => {
    await gateway.close();
    server.closeAllConnections();
    server.close();
    await client.close();
  };
  type Started = Awaited<ReturnType<typeof startGateway>>;
  let running = await startGateway(0);
  const address = `http://127.0.0.1:${running.port}${own.mount ?? ''}/`;
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...fakeCamera] });
  const errors: string[] = [];
  const newContext = () => browser.newContext({ viewport: { width: 1280, height: 900 } });
  const context = await newContext();
  const openTab = async (at = address, of = context): Promise<Page> => {
    const page = await of.newPage();
    page.setDefaultTimeout(60_000);
    listenForErrors(page, errors);
    await page.goto(at);
    return page;
  };
  return {
    ...{ address, emulator, errors },
    openTab: (at) => openTab(at),
    openElsewhere: async (at) => openTab(at, await newContext()),
    cut: () => running.server.closeAllConnections(),
    restart: async (meanwhile = () => Promise.resolve()) => {
      await stopGateway(running);
      await meanwhile();
      running = await startGateway(running.port);
    },
    page: await openTab(),
    [Symbol.asyncDispose]: async () => {
      await close(browser);
      await stopGateway(running);
      await emulator.close();
    },
  };
};

/** Collects the errors of a page; what the policy of the content forbids stands in the console as one. */
export const listenForErrors = (page: Page, errors: string[]): void => {
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message));
  page.on('console', (message) => {
    const { url } = message.location();
    // A reload cuts what is under way, and a job may end while its preview is asked for.
    if (message.type() === 'error' && !/\/(?:outputs|previews)\//u.test(url))
      errors.push(`${message.text()} ${url}`);
  });
};

const close = (browser: Browser): Promise<void> => browser.close();

/** What axe finds against accessibility, in words. */
export const accessibilityProblems = async (page: Page): Promise<readonly string[]> => {
  // The policy of the page lets no script be added, but a debugger may evaluate one.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: own } = globalThis as unknown as {
      readonly axe: {
        readonly run: () => Promise<{
          readonly violations: readonly {
            readonly id: string;
            readonly nodes: readonly { readonly html: string }[];
          }[];
        }>;
      };
    };
    const { violations } = await own.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
};

/** Drops a file as a person does: over the place first, then on it. */
export const dropFile = async (
  page: Page,
  place: string,
  { name, type, bytes }: { readonly name: string; readonly type: string; readonly bytes: Buffer },
): Promise<void> => {
  const dataTransfer = await page.evaluateHandle(
    ({ given, fileName, mediaType }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(given)], fileName, { type: mediaType }));
      return transfer;
    },
    { given: [...bytes], fileName: name, mediaType: type },
  );
  for (const event of ['dragover', 'drop']) await page.locator(place).dispatchEvent(event, { dataTransfer });
};
