import type { Notes } from './notes.ts';
import type { System } from './system.ts';
import type { VirtualCandidate } from './virtual-candidate.ts';

/** One thing that goes wrong, from its begin until everything runs again. */
export interface Fault {
  name: string;
  /** A line is cut or a server ends or stops: then not every request gets an answer. */
  cutsLines: boolean;
  /** How much longer it takes than it is held. */
  takesMs?: number;
  play(system: System, notes: Notes, stage: Stage): Promise<void>;
}

/** What a fault may use. */
export interface Stage {
  /** How long a fault that lasts is held. */
  holdMs: number;
  /** On the system `disk`: someone who has signed in and not begun. */
  newcomer?: VirtualCandidate;
  /** And someone who has begun, and does nothing else. */
  bystander?: VirtualCandidate;
}
