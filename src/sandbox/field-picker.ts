import { GraphError } from './graph-error.js';

/** A kind of object of the Graph API. */
export interface Node {
  name: string;
  /** All of its fields; the sandbox has values for some of them only. */
  fields: ReadonlySet<string>;
  /** Those that are answered when none are asked for. */
  byDefault: readonly string[];
}

const node = (name: string, byDefault: string, others: string): Node => ({
  name,
  fields: new Set([...byDefault.split(' '), ...others.split(' ')]),
  byDefault: byDefault.split(' '),
});

export const TEMPLATE = node(
  'MessageTemplate',
  'id name parameter_format components language status category sub_category previous_category',
  'bid_spec correct_category creative_sourcing_spec cta_url_link_tracking_opted_out degrees_of_freedom_spec ' +
    'display_format is_primary_device_delivery_only last_updated_time library_template_body_inputs ' +
    'library_template_button_inputs library_template_name message_send_ttl_seconds quality_score rejected_reason ' +
    'specific_rejection_reasons',
);

export const NUMBER = node(
  'WhatsAppBusinessPhoneNumber',
  'id verified_name code_verification_status display_phone_number quality_rating platform_type throughput ' +
    'last_onboarded_time webhook_configuration',
  'account_mode certificate conversational_automation eligibility_for_api_business_global_search health_status ' +
    'host_platform is_official_business_account is_on_biz_app is_pin_enabled is_preverified_number ' +
    'messaging_limit_tier name_status new_certificate new_display_name new_name_status official_business_account ' +
    'quality_score search_visibility status username whatsapp_business_manager_messaging_limit',
);

export const ACCOUNT = node(
  'WhatsAppBusinessAccount',
  'id name timezone_id message_template_namespace',
  'account_review_status analytics auth_international_rate_eligibility business_verification_status country ' +
    'creation_time currency disable_marketing_messages_on_cloud_api health_status is_enabled_for_insights ' +
    'is_shared_with_partners linked_commerce_account marketing_messages_ad_account ' +
    'marketing_messages_lite_api_status marketing_messages_onboarding_status on_behalf_of_business_info ' +
    'owner_business owner_business_info ownership_type primary_business_location primary_funding_id ' +
    'purchase_order_number status template_auto_archival_enabled whatsapp_business_manager_messaging_limit',
);

export const PROFILE = node(
  'WhatsAppBusinessProfile',
  'messaging_product about address description email profile_picture_url websites vertical',
  'id',
);

/**
 * Reduces an object to the fields that are asked for, or to the default ones. A field of the provider for which the
 * sandbox has no value is left out. Throws 100 for a field that the provider does not have.
 * @param always a field that is always there
 */
export function fieldPicker(
  { name, fields, byDefault }: Node,
  asked: unknown,
  always = 'id',
): (object: object) => Record<string, unknown> {
  const wanted = new Set([always, ...(namesOf(asked) ?? byDefault)]);
  const unknown = [...wanted].find((field) => !fields.has(field));
  if (unknown !== undefined) {
    throw new GraphError(
      100,
      `Tried accessing nonexisting field (${unknown.slice(0, 100)}) on node type (${name})`,
    );
  }
  return (object) => Object.fromEntries(Object.entries(object).filter(([field]) => wanted.has(field)));
}

/** `quality_score{score}` asks for a part; the whole is answered. */
function namesOf(fields: unknown): string[] | undefined {
  if (typeof fields !== 'string' || fields.trim() === '') return undefined;
  return fields
    .replace(/\{[^}]*\}/g, '')
    .split(',')
    .map((field) => field.trim());
}
