// What a page or another program does with a gateway: it submits a job and reads its events to the end.
import { textToImageWorkflow } from 'promptwire/emulator';

/** Runs one job through the gateway at this address, and prints its events. */
export const visit = async (gateway: string, token: string): Promise<void> => {
  const authorization = `Bearer ${token}`;
  const submitted = await fetch(`${gateway}/api/v2/jobs`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      workflow: textToImageWorkflow({ prompt: 'a city at night', steps: 6, width: 64, height: 64 }),
    }),
  });
  if (submitted.status !== 201) throw new Error(`the gateway answered ${submitted.status}`);
  const { urls } = (await submitted.json()) as { readonly urls: { readonly events: string } };
  const events = await fetch(new URL(urls.events, gateway), { headers: { authorization } });
  console.log(await events.text());
};
