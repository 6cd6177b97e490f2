import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { packageRoot } from '../package-root.js';
import { UsageError } from '../cli-io.js';

/** The files of the studio, each by its path below the gateway; the page stands at the empty one. */
export type StudioFiles = ReadonlyMap<string, StudioFile>;

interface StudioFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the page knows of its gateway before it asks. */
export interface StudioFacts {
  /** What its jobs run on; absent if its reader need not know. */
  readonly service?: string;
  /** Whether jobs run on servers, which the page shows to callers with the right. */
  readonly hasServers?: boolean;
}

/** Makes the files of the studio for a page of one gateway. */
export type Studio = (facts?: StudioFacts) => StudioFiles;

/** Reads the page of the studio and its files, as the build has left them. */
export const readStudio = async (folder = new URL('dist/studio/', packageRoot)): Promise<Studio> => {
  const names = await readdir(folder).catch(() => {
    throw new UsageError(
      `the studio is not built: ${folder.pathname} is missing; \`npm run build\` makes it`,
    );
  });
  const read = await Promise.all(
    names.map(async (name) => [name, new Uint8Array(await readFile(new URL(name, folder)))] as const),
  );
  return (facts = {}) =>
    new Map(
      read.map(([name, bytes]) =>
        name === 'index.html'
          ? ['', pageOf(bytes, facts)]
          : [`studio/${name}`, { bytes, headers: { ...ofFile, 'content-type': typeOf(name) } }],
      ),
    );
};

/** The gateway with the studio before it: its page at the root or the mount, its files below it. Everything else is the gateway's. */
export const withStudio = (
  gateway: { readonly fetch: (request: Request) => Promise<Response> },
  files: StudioFiles,
  mount = '',
): { readonly fetch: (request: Request) => Promise<Response> } => ({
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' && request.method !== 'HEAD') return gateway.fetch(request);
    // The addresses of the page are relative to its folder.
    if (pathname === mount) return Promise.resolve(movedTo(`${mount}/`));
    const below = pathname.startsWith(`${mount}/`) ? pathname.slice(mount.length + 1) : pathname.slice(1);
    const file = files.get(below);
    if (file === undefined) return gateway.fetch(request);
    const body = request.method === 'HEAD' ? null : file.bytes;
    return Promise.resolve(new Response(body, { headers: file.headers }));
  },
});

const movedTo = (location: string): Response => new Response(null, { status: 308, headers: { location } });

/** What the page may do: run its own scripts, speak to its own gateway, and show pictures that it has made itself. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const ofAll = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** A file has the hash of its content in its name. */
const ofFile = { ...ofAll, 'cache-control': 'public, max-age=31536000, immutable' };

const pageOf = (bytes: Uint8Array, { service, hasServers = false }: StudioFacts): StudioFile => {
  const facts = [
    ...(service === undefined ? [] : [['service', service] as const]),
    ...(hasServers ? [['servers', 'yes'] as const] : []),
  ].map(([name, content]) => `<meta name="promptwire-${name}" content="${escaped(content)}" />`);
  const named = new TextDecoder().decode(bytes).replace('</head>', () => `${facts.join('')}</head>`);
  const headers = { ...ofAll, 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' };
  return { bytes: new TextEncoder().encode(named), headers };
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream';
