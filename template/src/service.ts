import type { CreateClientOptions } from 'promptwire';
import { startEmulator } from 'promptwire/emulator';

/** Options of a client, and what ends the service. */
export interface Service extends CreateClientOptions {
  readonly close: () => Promise<void>;
}

/** The service that PROMPTWIRE_BASE_URL names, whose key and dialect the client reads as well; else an emulator in this process. */
export const openService = async (): Promise<Service> =>
  process.env['PROMPTWIRE_BASE_URL'] === undefined
    ? startEmulator({ speed: 10 })
    : { close: () => Promise.resolve() };
