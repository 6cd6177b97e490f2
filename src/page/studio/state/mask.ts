/** A line of the brush, in pixels of the picture. */
export interface Stroke {
  readonly isErasing: boolean;
  readonly width: number;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The mask as a person paints it: the strokes in order, of which the last ones may be taken back and put again. */
export interface Mask {
  readonly strokes: readonly Stroke[];
  readonly undone: readonly Stroke[];
}

/** What changes a mask. */
export type MaskAction =
  | { readonly type: 'begin'; readonly stroke: Stroke }
  | { readonly type: 'move'; readonly point: readonly [number, number] }
  | { readonly type: 'undo' | 'redo' | 'clear' };

export const emptyMask: Mask = { strokes: [], undone: [] };

/** What the mask is after an action: pure. */
export const stepMask = (mask: Mask, action: MaskAction): Mask => {
  const { strokes, undone } = mask;
  const last = strokes.at(-1);
  switch (action.type) {
    case 'begin':
      return { strokes: [...strokes, action.stroke], undone: [] };
    case 'move':
      return last === undefined
        ? mask
        : { strokes: [...strokes.slice(0, -1), { ...last, points: [...last.points, action.point] }], undone };
    case 'undo':
      return last === undefined ? mask : { strokes: strokes.slice(0, -1), undone: [last, ...undone] };
    case 'redo': {
      const [next, ...rest] = undone;
      return next === undefined ? mask : { strokes: [...strokes, next], undone: rest };
    }
    case 'clear':
      return emptyMask;
  }
};
