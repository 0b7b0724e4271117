import { AudioLines, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { FaceFrame } from './attempt-icons.tsx';
import { useAttempt } from './use-attempt.ts';

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex items-center gap-2 whitespace-nowrap [&_svg]:size-4.5 [&_svg]:flex-none [&_svg]:text-ink-3">
      {icon}
      <span>{children}</span>
    </li>
  );
}

/** Nothing judges faces in this version, so the line says that it cannot tell, and stays neutral. */
export function FaceLine({ started = false }: { started?: boolean }) {
  const face = useMonitor('face');
  const camera = useMonitor('camera');
  const watching = camera.kind === 'granted' && (started || face === 'cannot-tell');
  const word = watching ? 'Cannot tell' : camera.kind === 'failed' ? 'Off' : 'Starting';
  return (
    <Line icon={<FaceFrame />}>
      Face: <b className="font-medium">{word}</b>
    </Line>
  );
}

export function VoiceLine({ redAbove }: { redAbove: number }) {
  const level = useMonitor('level');
  const red = level !== null && level > redAbove;
  return (
    <Line icon={<AudioLines aria-hidden="true" strokeWidth={1.5} />}>
      Voice: <b className={`font-medium ${red ? 'text-bad-ink' : ''}`}>{level ?? '–'} dB</b>
    </Line>
  );
}

/** The server's number and the limit of this attempt's own policy. */
export function ViolationsLine({ limit }: { limit: number | null }) {
  const { violationCount } = useAttempt();
  return (
    <Line icon={<ShieldCheck aria-hidden="true" strokeWidth={1.5} />}>
      Violations:{' '}
      <b className="font-medium">
        {limit === null ? violationCount : `${violationCount}/${limit}`}
      </b>
    </Line>
  );
}
