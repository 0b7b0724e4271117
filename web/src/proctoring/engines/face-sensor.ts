import type { FaceReport, FaceSensor } from '../detectors/sensor-reports.ts';

/** A sensor that may turn out not to run here. */
export interface ModelSensor extends FaceSensor {
  open(): Promise<void>;
  readonly givenUp: boolean;
}

/**
 * The model, and the seed's rule once the model was given up, for good: a sensor that changes to and
 * fro could not be judged. Every report says which of them it is from.
 */
export class FaceSensorWithFallback implements FaceSensor {
  readonly #model: ModelSensor;
  readonly #makeBasic: () => FaceSensor;
  #basic: FaceSensor | null = null;

  constructor(model: ModelSensor, makeBasic: () => FaceSensor) {
    this.#model = model;
    this.#makeBasic = makeBasic;
  }

  get engine() {
    return this.#model.givenUp ? 'basic' : 'model';
  }

  check(frame: ImageBitmap): Promise<FaceReport> {
    if (!this.#model.givenUp) return this.#model.check(frame);
    this.#basic ??= this.#makeBasic();
    return this.#basic.check(frame);
  }

  close(): void {
    this.#model.close();
    this.#basic?.close();
  }
}
