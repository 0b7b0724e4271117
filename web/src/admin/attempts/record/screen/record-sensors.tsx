import type {
  ParticipantRecord,
  SensorState,
} from '@invigil/core/contract/review/participant-record';
import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
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
    <Card title={t(/* of the candidate; a heading */ 'record.monitoring.title', 'Monitoring')}>
      <dl className="px-5 py-1.5">
        <Line label={t(/* for violations */ 'record.policy.label', 'Policy')}>
          {t(/* policy: its name */ 'record.policy.version', '{policy}, version {version}', {
            policy: PRESET_NAMES[policy.preset](),
            version: policy.version,
          })}
        </Line>
        <Limits lines={recordedLimits(policy, computerUsed)} />
        <Sensor
          label={t('portal.camera', 'Camera')}
          state={sensors.camera}
          none={
            isPhone
              ? computerUsed
                ? t(
                    /* no camera */ 'record.sensor.noneOnPhoneNow',
                    'None on the last device (phone)',
                  )
                : t(/* no camera */ 'record.sensor.noneOnPhone', 'None (phone)')
              : null
          }
        />
        {policy.faceCovered && (
          <Line label={t('record.sensor.face', 'Face')}>
            {t(
              /* the face of the candidate */ 'record.sensor.faceCovered',
              'May be partly covered, never counted',
            )}
          </Line>
        )}
        <Sensor label={t('portal.microphone', 'Microphone')} state={sensors.microphone} />
        <Sensor label={t('record.sensor.fullscreen', 'Fullscreen')} state={sensors.fullscreen} />
        <Line label={t('portal.fullscreenExits', 'Fullscreen exits')}>
          {String(record.fullscreenExits)}
        </Line>
        <Line label={t('portal.tabSwitches', 'Tab switches')}>{String(record.tabSwitches)}</Line>
        {engines.length > 0 && (
          <Line
            label={t(/* names of detectors follow */ 'record.monitoring.detectedBy', 'Detected by')}
          >
            {listText(engines, 'unit')}
          </Line>
        )}
      </dl>
    </Card>
  );
}

function Limits({ lines }: { lines: readonly string[] }) {
  return (
    <div className={ROW}>
      <dt className="text-ink-2">
        {t(/* limits of violations follow */ 'record.policy.ends', 'Ends the attempt')}
      </dt>
      <dd className="ms-auto min-w-0 font-medium wrap-anywhere tabular-nums">
        {lines.length === 0 ? (
          t(/* ends the attempt */ 'record.policy.endsNothing', 'Nothing automatically')
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
          <Badge glyph="slashed">{t('record.sensor.notApplicable', 'Not applicable')}</Badge>
          <span className="block text-end text-sm text-ink-3">
            {t('record.sensor.switchedOff', 'Switched off for this person')}
          </span>
        </dd>
      </div>
    );
  }
  return (
    <Line label={label}>
      {state === 'off'
        ? t('record.sensor.notRequired', 'Not required')
        : (none ?? t(/* a camera or microphone */ 'record.sensor.on', 'On'))}
    </Line>
  );
}
