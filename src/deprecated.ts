import type { EventFrame, TextFrame } from './protocol/frames/frame.js';
import type { HistoryRecord } from './endpoints/history.js';

/** @deprecated Use {@link EventFrame}: this name shadows the global `Event`. */
export type Event = EventFrame;

/** @deprecated Use {@link TextFrame}: this name shadows the global `Text`. */
export type Text = TextFrame;

/** @deprecated Use {@link HistoryRecord}: this name shadows the global `History`. */
export type History = HistoryRecord;
