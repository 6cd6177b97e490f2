import { lazy, Suspense, type ReactElement } from 'react';
import type { Upload } from './use-upload.js';

const Camera = lazy(() => import('./camera.js'));
const MaskPainter = lazy(() => import('./mask-painter.js'));

/** What a field for pictures opens. */
export type FileDialog = 'camera' | 'mask';

interface FileDialogsProps extends Pick<Upload, 'chosen' | 'take'> {
  readonly opened: FileDialog | undefined;
  readonly close: () => void;
}

/** The camera, and the mask of the chosen picture. */
export const FileDialogs = ({ opened, chosen, take, close }: FileDialogsProps): ReactElement => (
  <Suspense fallback={null}>
    {opened === 'camera' && (
      <Camera
        onPicture={(picture) => {
          close();
          take(picture, 'camera.png');
        }}
        onCancel={close}
      />
    )}
    {opened === 'mask' && chosen !== undefined && (
      <MaskPainter
        picture={chosen.file}
        onDone={(masked) => {
          close();
          take(masked, `${chosen.name.replace(/\.[^.]+$/u, '')}-masked.png`);
        }}
        onCancel={close}
      />
    )}
  </Suspense>
);
