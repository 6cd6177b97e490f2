import type * as server from '@modelcontextprotocol/server';
import type * as stdio from '@modelcontextprotocol/server/stdio';
import { serviceError } from '../../../core/errors/service-error.js';

/** The official SDK, an optional peer of this package. */
export interface Sdk {
  readonly server: typeof server;
  readonly stdio: typeof stdio;
}

/** Loads the SDK; rejects with `InvalidConfig`, which says how to install it. */
export const loadSdk = async (
  importServer: () => Promise<typeof server> = () => import('@modelcontextprotocol/server'),
  importStdio: () => Promise<typeof stdio> = () => import('@modelcontextprotocol/server/stdio'),
): Promise<Sdk> => {
  try {
    return { server: await importServer(), stdio: await importStdio() };
  } catch (cause) {
    throw serviceError('InvalidConfig', {
      option: 'mcp',
      message:
        'A server of the Model Context Protocol needs the package @modelcontextprotocol/server, which is not installed.',
      hint: 'Install it beside this package: npm install @modelcontextprotocol/server@2.',
      cause,
    });
  }
};
