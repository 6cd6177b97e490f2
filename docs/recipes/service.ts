import { createClient, type Client } from 'promptwire';
import { startEmulator } from 'promptwire/emulator';

/** The service that `PROMPTWIRE_BASE_URL` names, or an emulator of it where none is named. */
export const connect = async (): Promise<{
  readonly client: Client;
  readonly close: () => Promise<void>;
}> => {
  const { PROMPTWIRE_BASE_URL: baseUrl, PROMPTWIRE_API_KEY: apiKey } = process.env;
  if (baseUrl !== undefined) {
    const client = createClient({ baseUrl, apiKey });
    return { client, close: () => client.close() };
  }
  const emulator = await startEmulator({ speed: 20 });
  const client = createClient(emulator);
  return {
    client,
    close: async () => {
      await client.close();
      await emulator.close();
    },
  };
};
