import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Dialog, DialogEnd } from '../dialog.js';
import { texts } from '../../texts.js';

interface CameraProps {
  /** Gets the picture as a PNG file. */
  readonly onPicture: (picture: Blob) => void;
  readonly onCancel: () => void;
}

/** Shows what the camera sees, and takes a picture of it. */
const Camera = ({ onPicture, onCancel }: CameraProps): ReactElement => {
  const video = useRef<HTMLVideoElement>(null);
  const [isReady, setReady] = useState(false);
  const isRefused = useCamera(video);
  return (
    <Dialog title={texts.camera.title} onClose={onCancel}>
      {isRefused && (
        <p role="alert" className="error">
          {texts.camera.refused}
        </p>
      )}
      <video
        ref={video}
        className="camera"
        autoPlay
        muted
        playsInline
        aria-label={texts.camera.sees}
        onLoadedData={() => setReady(true)}
      />
      <DialogEnd
        onCancel={onCancel}
        onDone={() => void (video.current && pictureOf(video.current).then(onPicture))}
        done={texts.camera.take}
        isDisabled={!isReady}
      />
    </Dialog>
  );
};

/** Lets an element show the camera while it is there; true if the browser gives no camera. */
const useCamera = (video: { readonly current: HTMLVideoElement | null }): boolean => {
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    let isOpen = true;
    let stream: MediaStream | undefined;
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop());
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      (opened) => {
        stream = opened;
        if (!isOpen) stop();
        else if (video.current !== null) video.current.srcObject = opened;
      },
      () => isOpen && setRefused(true),
    );
    return () => {
      isOpen = false;
      stop();
    };
  }, [video]);
  return isRefused;
};

const pictureOf = (video: HTMLVideoElement): Promise<Blob> => {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  canvas.getContext('2d')?.drawImage(video, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
};

export default Camera;
