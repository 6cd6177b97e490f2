import type { ReactElement } from 'react';
import type { RemoteServer } from '../../../remote.js';
import { texts } from '../texts.js';

/** The servers that run the jobs: what each of them takes, and whether it does. */
export const Servers = ({ servers }: { readonly servers: readonly RemoteServer[] }): ReactElement | null =>
  servers.length === 0 ? null : (
    <ul className="servers" aria-label={texts.queue.servers}>
      {servers.map((server) => (
        <li key={server.name} className={isTaking(server) ? 'is-open' : 'is-waiting'}>
          <span className="dot" aria-hidden="true" />
          <span className="server-name">{server.name}</span>
          <span className="hint">{texts.queue.server(server)}</span>
        </li>
      ))}
    </ul>
  );

/** Whether it takes jobs. */
const isTaking = ({ health, mode }: RemoteServer): boolean => health === 'up' && mode === 'active';
