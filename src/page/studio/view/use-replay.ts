import { animationFrames, type Subscription } from 'rxjs';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Moment, momentOf, readRecording, type Recording } from '../state/recording.js';
import type { KnownJob } from '../state/jobs.js';
import { texts } from '../texts.js';

/** A recording that stands in the place of the job, and what is done with it. */
export interface Replay {
  readonly recording: Recording | undefined;
  /** How much of its time is shown: 0 to 1. */
  readonly share: number;
  readonly seek: (share: number) => void;
  readonly isPlaying: boolean;
  readonly play: () => void;
  readonly pause: () => void;
  readonly open: (file: File) => Promise<void>;
  readonly close: () => void;
  /** Why a file is no recording. */
  readonly problem: string | undefined;
  /** What the stage shows: the job itself without a recording. */
  readonly shown: KnownJob;
  readonly picture: string | undefined;
}

/** How long the replay of a long job takes at most, in milliseconds. */
const longestMs = 20_000;

const none: Moment = { state: undefined, timeline: undefined, picture: undefined };

/** Lets a recording stand in the place of a job: picture, graph, times and events are those of its moment. */
export const useReplay = (job: KnownJob): Replay => {
  const [recording, setRecording] = useState<Recording>();
  const [share, setShare] = useState(1);
  const [problem, setProblem] = useState<string>();
  const [isPlaying, setPlaying] = useState(false);
  const playing = useRef<Subscription>(undefined);
  const { state, timeline, picture } = useMemo(
    () => (recording === undefined ? none : momentOf(recording, share)),
    [recording, share],
  );
  const pause = (): void => {
    playing.current?.unsubscribe();
    setPlaying(false);
  };
  useEffect(() => () => playing.current?.unsubscribe(), []);
  return {
    ...{ recording, share, isPlaying, pause, problem, picture },
    seek: (to) => {
      pause();
      setShare(to);
    },
    play: () => {
      const events = recording?.events ?? [];
      const span = Math.max(1, Math.min(longestMs, (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)));
      const from = share >= 1 ? 0 : share;
      setPlaying(true);
      playing.current?.unsubscribe();
      playing.current = animationFrames().subscribe(({ elapsed }) => {
        const next = Math.min(1, from + elapsed / span);
        setShare(next);
        if (next === 1) pause();
      });
    },
    open: async (file) => {
      pause();
      const read = readRecording(await file.text());
      setProblem(read === undefined ? texts.inspect.noRecording(file.name) : undefined);
      setRecording(read);
      setShare(1);
    },
    close: () => {
      pause();
      setRecording(undefined);
    },
    shown: recording === undefined ? job : { ...job, ...recording, state, timeline },
  };
};
