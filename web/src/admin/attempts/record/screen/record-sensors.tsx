import type {
  ParticipantRecord,
  SensorState,
} from '@invigil/core/contract/review/participant-record';
import { PRESET_NAMES, recordedLimits } from '@invigil/core/texts/policy-form';
import { Badge } from '../../../../ui/badges/badge.tsx';
import { Card } from '../../../../ui/page.tsx';
import { Line, ROW } from '../../../parts/line.tsx';
import { engineText } from '../signal-lines.ts';

export function RecordSensors({ record }: { record: ParticipantRecord }) {
  const { sensors, policy, isPhone, computerUsed, violations } = record;
  const engines = [
    ...new Set(violations.flatMap(({ engine }) => (engine === null ? [] : [engineText(engine)]))),
  ];
  return (
    <Card title="Monitoring">
      <dl className="px-5 py-1.5">
        <Line label="Policy">{`${PRESET_NAMES[policy.preset]()}, version ${policy.version}`}</Line>
        <Limits lines={recordedLimits(policy, computerUsed)} />
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
      <dd className="ms-auto min-w-0 font-medium wrap-anywhere tabular-nums">
        {lines.length === 0 ? (
          'Nothing automatically'
        ) : (
          <ul className="text-end">
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
          <span className="block text-end text-sm text-ink-3">Switched off for this person</span>
        </dd>
      </div>
    );
  }
  return <Line label={label}>{state === 'off' ? 'Not required' : (none ?? 'On')}</Line>;
}
