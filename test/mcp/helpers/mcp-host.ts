import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcp } from '../../../src/mcp.js';
import type { Mcp, McpOptions } from '../../../src/mcp.js';
import { onTestFinished } from 'vitest';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createInterface } from 'node:readline';

/** What a host of a test can do. */
export interface HostOptions {
  /** The line of the protocol; default the one of before 2026, which most hosts speak. */
  readonly line?: 'legacy' | 'auto';
  /** Answers the questions of the server; a host without it can't ask. */
  readonly answer?: (message: string) => 'accept' | 'decline';
}

/** Makes a host, which is not connected yet. */
export const newHost = ({ line = 'legacy', answer }: HostOptions = {}): McpClient => {
  const host = new McpClient(
    { name: 'host of a test', version: '1' },
    {
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: line },
    },
  );
  if (answer !== undefined)
    host.setRequestHandler('elicitation/create', ({ params }) => {
      const action = answer(params.message);
      return Promise.resolve(action === 'accept' ? { action, content: { run: true } } : { action });
    });
  onTestFinished(() => host.close());
  return host;
};

/** A host over streams, as a program with standard input and output sees it. */
export const overStdio = async (options: McpOptions | Mcp, how: HostOptions = {}): Promise<McpClient> => {
  const mcp = 'serveStdio' in options ? options : await createMcp(options);
  const [toServer, fromServer] = [new PassThrough(), new PassThrough()];
  const served = mcp.serveStdio(toServer, fromServer);
  onTestFinished(async () => {
    toServer.end();
    await served;
  });
  const host = newHost(how);
  await host.connect(overStreams(toServer, fromServer));
  return host;
};

/** The client's half of the stdio binding: a message a line. */
export const overStreams = (output: PassThrough, input: NodeJS.ReadableStream): Transport => {
  const transport: Transport = {
    start: () => {
      createInterface({ input }).on('line', (line) =>
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage),
      );
      return Promise.resolve();
    },
    send: (message) => {
      output.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => {
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  return transport;
};

/** A host over streamable HTTP, without a network: requests go to the function. */
export const overHttp = async (
  mcp: Mcp,
  { token = 'token-of-a-test-caller', ...how }: HostOptions & { readonly token?: string } = {},
): Promise<McpClient> => {
  const http = mcp.http((request) =>
    request.headers.get('authorization') === 'Bearer token-of-a-test-caller' ? { name: 'test' } : undefined,
  );
  onTestFinished(() => http.close());
  const host = newHost(how);
  await host.connect(
    new StreamableHTTPClientTransport(new URL('http://mcp.test/mcp'), {
      fetch: (url, init) => http.fetch(new Request(url, init)),
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return host;
};
