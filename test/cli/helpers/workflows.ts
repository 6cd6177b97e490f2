import { textToImageWorkflow } from '../../../src/emulator.js';

/** A workflow that takes so many steps and makes no file. */
export const slowWorkflow = (steps: number): object => ({
  '1': { class_type: 'SlowNode', inputs: { steps }, _meta: { title: 'Slow' } },
});

/** A workflow that fails with this exception. */
export const failingWorkflow = (exceptionType: string, message = 'on purpose'): object => ({
  '1': { class_type: 'FailOnPurpose', inputs: { exception_type: exceptionType, message } },
});

/** A workflow that saves the picture that its input names. */
export const copyWorkflow = {
  '1': { class_type: 'LoadImage', inputs: { image: 'not-there.png' } },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'copy' } },
};

/** A workflow that saves a picture and shows it, and fails afterwards. */
export const failingAfterSave = (): object => ({
  ...textToImageWorkflow({ steps: 1, width: 64, height: 64 }),
  '11': {
    class_type: 'FailOnPurpose',
    inputs: { exception_type: 'OOMError', message: 'on purpose', image: ['8', 0], steps: 5 },
  },
});
