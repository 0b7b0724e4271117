import type { FaceReport, FaceSensor } from '../detectors/sensor-reports.ts';

/** A sensor that may fail to run in this browser. */
export interface ModelSensor extends FaceSensor {
  open(): Promise<void>;
  readonly givenUp: boolean;
}

/**
 * The model, and permanently the seed's rule once the model is given up: results that alternate
 * between engines could not be reviewed. Every report names its engine.
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
