import type { ReactElement } from 'react';
import type { Replay } from '../use-replay.js';
import { texts } from '../../texts.js';

/** Plays a recording, and goes to a moment of it. */
export const ReplayBar = ({ replay }: { readonly replay: Replay }): ReactElement => {
  const { share, seek, isPlaying, play, pause, close } = replay;
  return (
    <div className="inspect-tools" role="toolbar" aria-label={texts.inspect.replay}>
      <button type="button" onClick={isPlaying ? pause : play}>
        {isPlaying ? texts.inspect.pause : texts.inspect.play}
      </button>
      <label className="inspect-share">
        {texts.inspect.upTo}
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={share}
          onChange={({ target }) => seek(Number(target.value))}
        />
      </label>
      <button type="button" className="quiet" onClick={close}>
        {texts.inspect.live}
      </button>
    </div>
  );
};
