import type { Picture } from './node-class.js';
import { plain } from './picture-shapes.js';

const [width, height, margin] = [800, 480, 40];
const white = [255, 255, 255] as const;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Draws losses as a curve over the steps, between two axes; the greatest is at the top. */
export const lossGraph = (losses: readonly number[]): Picture => {
  const picture = plain(width + margin, height + margin, white);
  const [least, most] = [Math.min(...losses), Math.max(...losses)];
  const points = losses.map((loss, at): Point => ({
    x: margin + Math.floor((at / losses.length) * width),
    y: height - Math.floor((most === least ? 0 : (loss - least) / (most - least)) * (height - margin)),
  }));
  for (const [at, to] of points.entries()) drawLine(picture, points[at - 1] ?? to, to, [0, 0, 255]);
  const corner = { x: margin, y: height };
  drawLine(picture, { x: margin, y: 0 }, corner, [0, 0, 0]);
  drawLine(picture, corner, { x: width + margin - 1, y: height }, [0, 0, 0]);
  return picture;
};

const drawLine = (
  { rgb, width: across }: Picture,
  from: Point,
  to: Point,
  colour: readonly [number, number, number],
): void => {
  const steps = Math.max(1, Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  for (let step = 0; step <= steps; step += 1) {
    const [x, y] = [
      Math.round(from.x + ((to.x - from.x) * step) / steps),
      Math.round(from.y + ((to.y - from.y) * step) / steps),
    ];
    // Two pixels wide.
    rgb.set(colour, (y * across + x) * 3);
    rgb.set(colour, (Math.max(0, y - 1) * across + x) * 3);
  }
};
