import type { Mask } from '../../state/mask.js';

/** Draws the mask alone, in a colour, as large as its picture. */
export const paintMask = (
  { strokes }: Mask,
  { width, height }: Pick<ImageBitmap, 'width' | 'height'>,
  colour: string,
): OffscreenCanvas => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = colour;
  for (const stroke of strokes) {
    context.globalCompositeOperation = stroke.isErasing ? 'destination-out' : 'source-over';
    context.lineWidth = stroke.width;
    context.beginPath();
    const [[x, y] = [0, 0], ...rest] = stroke.points;
    context.moveTo(x, y);
    // A line without length is not drawn, and a click is a dot.
    context.lineTo(x + 0.01, y);
    for (const [toX, toY] of rest) context.lineTo(toX, toY);
    context.stroke();
  }
  return canvas;
};

/** The picture as a file, transparent where the mask is: that is how a service reads a mask of a picture. */
export const maskedPicture = (mask: Mask, picture: ImageBitmap): Promise<Blob> => {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.drawImage(picture, 0, 0);
    context.globalCompositeOperation = 'destination-out';
    context.drawImage(paintMask(mask, picture, '#000'), 0, 0);
  }
  return canvas.convertToBlob({ type: 'image/png' });
};

/** Shows the picture with the mask as a veil. */
export const showMask = (context: CanvasRenderingContext2D, mask: Mask, picture: ImageBitmap): void => {
  context.clearRect(0, 0, picture.width, picture.height);
  context.drawImage(picture, 0, 0);
  context.globalAlpha = 0.6;
  context.drawImage(paintMask(mask, picture, '#ff3d71'), 0, 0);
  context.globalAlpha = 1;
};
