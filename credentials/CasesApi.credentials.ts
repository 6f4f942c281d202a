import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	Icon,
	INodeProperties,
} from 'n8n-workflow';

import { parseTenant } from '../nodes/Cases/api/tenant';

/** What the credential test says about an answer with one of these statuses. */
const STATUS_MESSAGES: Array<[statuses: number[], message: string]> = [
	[
		[301, 302, 303, 307, 308],
		'The service redirects elsewhere. Open the Base URL in a browser to see where, and correct it; redirects are not followed, because they would carry the key away.',
	],
	[
		[401],
		'The service refused the API key. Check that it is current and complete, and that Authentication is what the service expects.',
	],
	[
		[403],
		'The API key is not allowed to list cases. Use another key, or ask a tenant owner for the permission.',
	],
	[
		[404],
		'There is no case list here for this key. Check the Base URL, and that the key may see cases.',
	],
	[[429], 'The service asks to slow down. Wait a little, then test again.'],
	[
		[500, 502, 503, 504],
		'The service failed to answer. Test again later; if it goes on, check the Base URL and proxies on the way.',
	],
];

export class CasesApi implements ICredentialType {
	name = 'casesApi';

	displayName = 'Cases API';

	icon: Icon = { light: 'file:../icons/cases.svg', dark: 'file:../icons/cases.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-cases/n8n-nodes-cases#credential';

	properties: INodeProperties[] = [
		{
			displayName:
				'What a key can see: a personal key, all that its user can; a service key, what a tenant owner granted it; a tenant owner key, the whole tenant; a team key, the cases of its team only.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://acme.example.com',
			description: 'Address of your tenant. Whether it ends in /api/v2 makes no difference.',
		},
		{
			displayName: 'Authentication',
			name: 'authScheme',
			type: 'options',
			default: 'header',
			options: [
				{ name: 'Header (X-User-Token)', value: 'header' },
				{ name: 'Bearer (Authorization)', value: 'bearer' },
			],
			description: 'In which header the API key is sent. The service takes both.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "A key from your team's credentials or the API keys page of the service",
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether the key may be sent over plain http to another machine, where it can be read on the way. Not needed for localhost.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description: 'Whether to connect even if the certificate of the service cannot be verified',
		},
		{
			displayName: 'Array Format',
			name: 'arrayFormat',
			type: 'options',
			default: 'brackets',
			options: [
				{ name: 'Brackets: tags[]=a&tags[]=b', value: 'brackets' },
				{ name: 'Comma: tags=a,b', value: 'comma' },
				{ name: 'Indices: tags[0]=a&tags[1]=b', value: 'indices' },
				{ name: 'Repeat: tags=a&tags=b', value: 'repeat' },
			],
			description:
				'How filters with several values are sent. Change it only if the service rejects or ignores them.',
		},
	];

	/** Adds the key to a request as the API documents it, also for the HTTP Request node. */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	) => {
		const { authHeader } = parseTenant(credentials);
		return { ...requestOptions, headers: { ...requestOptions.headers, ...authHeader } };
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL:
				'={{ $credentials.baseUrl.trim().replace(/\\/api\\/v2(\\/.*)?$/, "").replace(/\\/+$/, "") }}',
			url: '/api/v2/cases',
			qs: { per_page: 1 },
			headers: { 'content-type': 'application/json' },
			disableFollowRedirect: true,
			skipSslCertificateValidation: '={{ $credentials.ignoreSslIssues }}',
		},
		// n8n evaluates both kinds of rules; its type knows lists of one kind only.
		rules: [
			...STATUS_MESSAGES.flatMap(([statuses, message]) =>
				statuses.map((value) => ({ type: 'responseCode', properties: { value, message } })),
			),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'cases',
					value: undefined,
					message:
						'The address answers, but not with cases. Check that the Base URL is the address of the Cases service, not of its web pages or a login page.',
				},
			},
		] as unknown as ICredentialTestRequest['rules'],
	};
}
