import { useEffect, useReducer, useRef, useState, type PointerEvent, type ReactElement } from 'react';
import { Dialog, DialogEnd } from '../dialog.js';
import { emptyMask, stepMask } from '../../state/mask.js';
import { type Brush, MaskTools } from './mask-tools.js';
import { maskedPicture, showMask } from './paint-mask.js';
import { texts } from '../../texts.js';

interface MaskPainterProps {
  readonly picture: Blob;
  /** Gets the picture with the mask in it. */
  readonly onDone: (masked: Blob) => void;
  readonly onCancel: () => void;
}

/** Paints a mask on a picture. */
const MaskPainter = ({ picture, onDone, onCancel }: MaskPainterProps): ReactElement => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [image, setImage] = useState<ImageBitmap>();
  const [mask, act] = useReducer(stepMask, emptyMask);
  const [brush, setBrush] = useState<Brush>({ width: 40, isErasing: false });
  const isDrawing = useRef(false);
  useEffect(() => {
    let isOpen = true;
    createImageBitmap(picture).then(
      (bitmap) => (isOpen ? setImage(bitmap) : bitmap.close()),
      () => undefined,
    );
    return () => {
      isOpen = false;
    };
  }, [picture]);
  useEffect(() => () => image?.close(), [image]);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (image !== undefined && context !== null && context !== undefined) showMask(context, mask, image);
  }, [image, mask]);
  const isEmpty = image === undefined || mask.strokes.length === 0;
  return (
    <Dialog title={texts.mask.title} onClose={onCancel}>
      <MaskTools mask={mask} act={act} brush={brush} setBrush={setBrush} />
      <canvas
        ref={canvas}
        className="mask"
        width={image?.width ?? 512}
        height={image?.height ?? 512}
        aria-label={texts.mask.canvas(mask.strokes.length)}
        role="img"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          isDrawing.current = true;
          act({ type: 'begin', stroke: { ...brush, points: [pointOf(event)] } });
        }}
        onPointerMove={(event) => {
          if (isDrawing.current) act({ type: 'move', point: pointOf(event) });
        }}
        onPointerUp={() => (isDrawing.current = false)}
        onPointerCancel={() => (isDrawing.current = false)}
      />
      <DialogEnd
        onCancel={onCancel}
        onDone={() => void (image && maskedPicture(mask, image).then(onDone))}
        done={texts.mask.done}
        isDisabled={isEmpty}
      />
    </Dialog>
  );
};

/** Where the pointer is, in pixels of the picture, which stands within the canvas as `object-fit: contain` puts it. */
const pointOf = ({
  currentTarget,
  clientX,
  clientY,
}: PointerEvent<HTMLCanvasElement>): readonly [number, number] => {
  const { width, height } = currentTarget;
  const box = currentTarget.getBoundingClientRect();
  const scale = Math.min(box.width / width, box.height / height);
  const [left, top] = [(box.width - width * scale) / 2, (box.height - height * scale) / 2];
  return [(clientX - box.left - left) / scale, (clientY - box.top - top) / scale];
};

export default MaskPainter;
