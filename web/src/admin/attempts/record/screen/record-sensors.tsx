import type {
  ParticipantRecord,
  SensorState,
} from '@invigil/core/contract/review/participant-record';
import { ordinal } from '@invigil/core/domain/violations/ordinal';
import { tabSwitchLimit } from '@invigil/core/domain/violations/violation-policy';
import { Badge } from '../../../../ui/badges/badge.tsx';
import { Card } from '../../../../ui/page.tsx';
import { Line, ROW } from '../../../parts/line.tsx';
import { PRESET_NAMES } from '../../../parts/policy-sentences.ts';
import { engineText } from '../signal-lines.ts';

export function RecordSensors({ record }: { record: ParticipantRecord }) {
  const { sensors, policy, isPhone, computerUsed, violations } = record;
  const engines = [
    ...new Set(violations.flatMap(({ engine }) => (engine === null ? [] : [engineText(engine)]))),
  ];
  return (
    <Card title="Monitoring">
      <dl className="px-5 py-1.5">
        <Line label="Policy">{`${PRESET_NAMES[policy.preset]}, version ${policy.version}`}</Line>
        <Limits lines={limitLines(record)} />
        <Sensor
          label="Camera"
          state={sensors.camera}
          none={
            isPhone ? (computerUsed ? 'None on the last device (phone)' : 'None (phone)') : null
          }
        />
        {policy.faceCovered && <Line label="Face">May be partly covered, never counted</Line>}
        <Sensor label="Microphone" state={sensors.microphone} />
        <Sensor label="Fullscreen" state={sensors.fullscreen} />
        <Line label="Fullscreen exits">{String(record.fullscreenExits)}</Line>
        <Line label="Tab switches">{String(record.tabSwitches)}</Line>
        {engines.length > 0 && <Line label="Detected by">{engines.join(', ')}</Line>}
      </dl>
    </Card>
  );
}

function Limits({ lines }: { lines: readonly string[] }) {
  return (
    <div className={ROW}>
      <dt className="text-ink-2">Ends the attempt</dt>
      <dd className="ml-auto min-w-0 font-medium break-words tabular-nums">
        {lines.length === 0 ? (
          'Nothing automatically'
        ) : (
          <ul className="text-right">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </dd>
    </div>
  );
}

/** A sensor that is off for this person reports nothing. */
function Sensor({
  label,
  state,
  none = null,
}: {
  label: string;
  state: SensorState;
  none?: string | null;
}) {
  if (state === 'not_applicable') {
    return (
      <div className={ROW}>
        <dt className="text-ink-2">{label}</dt>
        <dd>
          <Badge glyph="slashed">Not applicable</Badge>
          <span className="block text-right text-sm text-ink-3">Switched off for this person</span>
        </dd>
      </div>
    );
  }
  return <Line label={label}>{state === 'off' ? 'Not required' : (none ?? 'On')}</Line>;
}

const KINDS = [
  ['face_not_detected', 'face'],
  ['voice_detected', 'voice'],
] as const;

/**
 * The limits that would have ended this attempt under its policy: `3 face and voice violations combined`.
 * Only reachable limits: a sensor that is off does not count. Empty: nothing.
 */
export function limitLines({
  policy,
  computerUsed,
}: Pick<ParticipantRecord, 'policy' | 'computerUsed'>): string[] {
  const { limits, combinedTypes, tabHidden } = policy;
  const isOn = {
    face: policy.camera && computerUsed && !policy.faceCovered,
    voice: policy.microphone,
  };
  const adding = KINDS.flatMap(([type, kind]) =>
    combinedTypes.includes(type) && isOn[kind] ? [kind] : [],
  );
  const lines: string[] = [];
  if (limits.combined !== null && adding.length > 0) {
    lines.push(
      adding.length === 1
        ? `${limits.combined} ${adding[0]} ${violations(limits.combined)}, the only kind in the combined limit`
        : `${limits.combined} ${adding.join(' and ')} ${violations(limits.combined)} combined`,
    );
  }
  for (const [, kind] of KINDS) {
    const limit = limits[kind];
    if (limit !== null && isOn[kind]) lines.push(`${limit} ${kind} ${violations(limit)}`);
  }
  const most = tabSwitchLimit(policy, !computerUsed);
  const tabsWarn = tabHidden !== 'record' && most === null;
  const exits = limits.fullscreen === null ? null : warnings(limits.fullscreen, policy, tabsWarn);
  if (exits !== null) lines.push(exits);
  if (most !== null) lines.push(`The ${ordinal(most)} tab switch`);
  return lines;
}

const violations = (n: number) => (n === 1 ? 'violation' : 'violations');

function warnings(
  limit: number,
  { fullscreen }: Pick<ParticipantRecord['policy'], 'fullscreen'>,
  tabsWarn: boolean,
): string | null {
  const many = limit === 1 ? '' : 's';
  const switches = limit === 1 ? 'tab switch' : 'tab switches';
  if (fullscreen && tabsWarn) {
    return `${limit} fullscreen exit${many} and ${switches} together`;
  }
  if (fullscreen) return `${limit} fullscreen exit${many}`;
  return tabsWarn ? `${limit} ${switches}` : null;
}
