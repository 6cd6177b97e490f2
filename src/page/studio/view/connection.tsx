import type { ReactElement } from 'react';
import { texts } from '../texts.js';
import { useConnection } from '../../../react.js';
import { useStudio } from './use-studio.js';

/** How the stream of events fares: a dot, and words where something is amiss. */
export const Connection = (): ReactElement => {
  const { remote } = useStudio();
  const state = useConnection(remote);
  const text = texts.connection[state._tag];
  return (
    <span
      className={`connection is-${state._tag}`}
      role="status"
      title={'reason' in state ? state.reason : text}
    >
      <span className="dot" aria-hidden="true" />
      <span className="connection-text">{text}</span>
    </span>
  );
};
