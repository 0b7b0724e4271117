import type { VirtualCandidate } from '../candidates/virtual-candidate.ts';
import type { Notes } from '../checks/notes.ts';
import type { System } from '../system/system.ts';

export interface Fault {
  name: string;
  /** A connection is cut, or a server ends or stops: not every request is answered. */
  cutsLines: boolean;
  /** Duration beyond `holdMs`. */
  takesMs?: number;
  play(system: System, notes: Notes, stage: FaultContext): Promise<void>;
}

export interface FaultContext {
  /** How long a lasting fault is kept up. */
  holdMs: number;
  /** On the system `disk`: a candidate who has signed in and not started. */
  newcomer?: VirtualCandidate;
  /** And one who has started and is idle. */
  bystander?: VirtualCandidate;
}
