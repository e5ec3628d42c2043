{{/* The names of all objects begin with it. */}}
{{- define "tms.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "tms.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What tells this release's pods from others. */}}
{{- define "tms.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tms.labels" -}}
{{ include "tms.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* For every pod of the chart. */}}
{{- define "tms.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tms.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* The deployment of one role; takes {root, role, own}. */}}
{{- define "tms.deployment" -}}
{{- $root := .root -}}
{{- $own := .own -}}
{{- $name := printf "%s-%s" (include "tms.name" $root) .role -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "tms.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "tms.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  template:
    metadata:
      labels:
        {{- include "tms.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
        template-messaging/metrics: "true"
      annotations:
        checksum/config: {{ include (print $root.Template.BasePath "/configmap.yaml") $root | sha256sum }}
        {{- with $own.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "tms.name" $root }}
      {{- include "tms.podSecurity" $root | nindent 6 }}
      # Some seconds after the process should have ended by itself.
      terminationGracePeriodSeconds: {{ add (int $root.Values.config.SHUTDOWN_GRACE) 5 }}
      containers:
        - name: {{ .role }}
          image: {{ include "tms.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          env:
            - name: ROLE
              value: {{ .role }}
          envFrom:
            - configMapRef:
                name: {{ include "tms.name" $root }}
            - secretRef:
                name: {{ $root.Values.existingSecret }}
          ports:
            - name: http
              containerPort: 3000
            - name: metrics
              containerPort: 9090
          # Until it listens, it may wait for another process that migrates.
          startupProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 300
          livenessProbe:
            httpGet: { path: /health/live, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /health/ready, port: metrics }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 1
          securityContext:
            {{- include "tms.containerSecurity" $root | nindent 12 }}
          {{- with $own.resources }}
          resources:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: tmp
          emptyDir: {}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "tms.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      {{- with $own.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
