import { type JournalOptions, openJournal } from './file-journal.js';
import type { WebhookProgress, WebhookRecord, WebhookStore } from '../ports/webhook-store.js';
import { type WebhookTable, webhookTable } from '../ports/webhook-table.js';

type WebhookLine =
  | { readonly put: WebhookRecord }
  | { readonly remove: string }
  | { readonly owner: string; readonly job: string; readonly progress: WebhookProgress }
  | { readonly owner: string; readonly forget: string };

/** Opens a {@link WebhookStore} in a file of a folder that this process has for itself; the file holds the secrets. */
export const fileWebhookStore = async (path: string, options: JournalOptions): Promise<WebhookStore> => {
  const table = webhookTable();
  const take = (line: WebhookLine): void => {
    if ('put' in line) table.put(line.put);
    else if ('remove' in line) table.remove(line.remove);
    else if ('progress' in line) table.progressed(line.owner, line.job, line.progress);
    else table.forget(line.owner, line.forget);
  };
  const journal = await openJournal(path, (value) => take(value as WebhookLine), options);
  // The table comes first, so that a file that is written anew has what waits to be appended.
  const write = async (line: WebhookLine): Promise<void> => {
    take(line);
    await journal.append([line]);
    if (journal.isStale(table.size())) await journal.compact([...linesOf(table)]);
  };
  return {
    all: () => Promise.resolve(table.all()),
    put: async (put) => {
      const before = table.all().find(({ record }) => record.owner === put.owner);
      try {
        await write({ put });
      } catch (error) {
        if (before === undefined) table.remove(put.owner);
        else table.put(before.record);
        throw error;
      }
    },
    remove: (remove) => write({ remove }),
    progressed: (owner, job, progress) => write({ owner, job, progress }),
    forget: (owner, forget) => write({ owner, forget }),
    close: journal.close,
  };
};

function* linesOf(table: WebhookTable): Generator<WebhookLine> {
  for (const { record, progress } of table.all()) {
    yield { put: record };
    for (const [job, one] of progress) yield { owner: record.owner, job, progress: one };
  }
}
