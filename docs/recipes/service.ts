import { createClient, type Client } from 'promptwire';
import { startEmulator, textToImageWorkflow } from 'promptwire/emulator';
import { template } from 'promptwire/workflow';

const made = template(textToImageWorkflow(), { prompt: 'Prompt.text' });
if (made._tag === 'Left') throw made.left;
/** What pages submit by its name: they send a prompt and no graph. */
export const picture = made.right;

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
