import { filePorts } from 'promptwire/gateway/node';

/** Keeps a job in the folder `kept`, opens it again, and says how many there are; or why it can't. */
const opened = () =>
  filePorts('kept').catch((error: unknown) => {
    const { _tag, hint } = error as { readonly _tag: string; readonly hint: string };
    console.log(`${_tag} ${hint}`);
    return undefined;
  });
const first = await opened();
if (first !== undefined) {
  const record = { id: 'a', owner: 'o', client: 'default', createdAt: 1, expiresAt: 9e15, submissionId: 's' };
  await first.index.add({ ...record, workflow: {} });
  await first.log.append('o', 'a', [{ type: 'cancelRequested', at: 1 }]);
  await first.close();
  const again = await opened();
  const { events } = (await again?.log.read({ owner: 'o', jobId: 'a' }, undefined, 9)) ?? { events: [] };
  console.log(`${(await again?.index.list('o', { limit: 9 }))?.length} job, ${events.length} event`);
  await again?.close();
}
